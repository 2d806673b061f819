package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) imageCommand() *cobra.Command {
	return group("image", "Push, list and remove guest images",
		"Push, list and remove guest images. An image never changes: its digest is part of its\nname. A job says --image NAME for the newest of that name, or --image NAME@sha256:DIGEST.",
		a.imagePushCommand(), tabular(a.imageListCommand()), a.imageRemoveCommand())
}

func (a *app) imagePushCommand() *cobra.Command {
	var source client.ImageSource
	c := &cobra.Command{
		Use: "push NAME [FOLDER]", Short: "Push a kernel and an initrd, or a disk",
		Args: func(c *cobra.Command, args []string) error {
			return takes([]string{"NAME", "FOLDER"}[:max(1, min(len(args), 2))]...)(c, args)
		},
		Long: `Push an image and print its name for jobs. An image is a kernel and an initrd, which are
files of --kernel and --initrd, or of a folder that holds them as kernel, initrd and,
optionally, cmdline. Or it is a disk with a system of its own, such as a distribution's
cloud image: then say its format with --qcow2 or --raw.

A disk must be complete: one with a backing file, snapshots or encryption is refused.
The managers keep it in a form of their own, without its free space. A job boots a copy
of it, which ends with the job; ` + "`aliquot job submit --disk`" + ` makes it larger. The disk has to
boot by BIOS and to run cloud-init, which starts the command of the job.`,
		Example: `  aliquot image push mine build/guest
  aliquot image push mine --kernel /boot/vmlinuz --initrd initrd.img --cmdline 'quiet'
  aliquot image push debian --qcow2 build/disk/debian/disk.qcow2`,
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if source.QCOW2 != "" || source.Raw != "" {
				return a.pushImage(ctx, c, args, source)
			}
			if len(args) == 2 {
				if err := fromFolder(&source, args[1]); err != nil {
					return err
				}
			}
			if source.Kernel == "" || source.Initrd == "" {
				return usagef("an image needs --kernel and --initrd, a folder that holds both, or --qcow2 or --raw")
			}
			return a.pushImage(ctx, c, args, source)
		}),
	}
	c.Flags().StringVar(&source.Kernel, "kernel", "", "file of the kernel")
	c.Flags().StringVar(&source.Initrd, "initrd", "", "file of the initial file system")
	c.Flags().StringVar(&source.Cmdline, "cmdline", "", "further words of the kernel's command line")
	c.Flags().StringVar(&source.QCOW2, "qcow2", "", "file of a disk in the format qcow2")
	c.Flags().StringVar(&source.Raw, "raw", "", "file of a disk in the format raw")
	c.MarkFlagsMutuallyExclusive("qcow2", "raw", "kernel")
	return c
}

func (a *app) pushImage(ctx context.Context, c *client.Client, args []string, source client.ImageSource) error {
	if len(source.QCOW2+source.Raw) > 0 && (len(args) > 1 || source.Initrd != "" || source.Cmdline != "") {
		return usagef("a disk is the whole image: leave out the folder, --initrd and --cmdline")
	}
	image, err := c.PushImage(ctx, args[0], source)
	if err != nil {
		return err
	}
	return a.show(image, func(w io.Writer) { fmt.Fprintln(w, image.Reference) })
}

// fromFolder fills in files without a flag from the folder.
func fromFolder(source *client.ImageSource, folder string) error {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return usagef("%s is a file: name the folder of kernel and initrd, or push a disk with --qcow2 or --raw", folder)
	}
	source.Kernel = first(source.Kernel, filepath.Join(folder, "kernel"))
	source.Initrd = first(source.Initrd, filepath.Join(folder, "initrd"))
	text, err := os.ReadFile(filepath.Join(folder, "cmdline"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usage{err}
	}
	source.Cmdline = first(source.Cmdline, strings.TrimSpace(string(text)))
	return nil
}

func (a *app) imageListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List images", Args: takes(), Example: "  aliquot image list\n  aliquot image list -o yaml",
		Long: `List images by name, newest first, with a prefix of each digest that identifies it.
DISK is the size of the disk that a VM sees, and the least that a job can ask for; images of
kind kernel have none.
With -o json or yaml it shows the whole digest and the kernel's command line, too, and in
startSeconds the time that a promised VM is given to boot: nine in ten of the image's latest
starts took no longer, or of all images until five of its own are known.`,
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			images, err := c.Images(ctx)
			if err != nil {
				return err
			}
			return a.show(api.ImageList{Images: images}, func(w io.Writer) { imageTable(w, images) })
		}),
	}
}

func imageTable(w io.Writer, images []api.Image) {
	rows := [][]string{{"IMAGE", "SIZE", "DISK", "ADDED", "BUILT IN"}}
	for _, i := range images {
		rows = append(rows, []string{fmt.Sprintf("%s@sha256:%.12s", i.Name, i.Digest), size(i.SizeBytes), diskSize(i),
			when(i.Added), word(i.Builtin, "yes", "-")})
	}
	table(w, rows)
}

// diskSize says how large the disk is that VMs see, if they see one.
func diskSize(i api.Image) string {
	if i.DiskBytes == 0 {
		return "-"
	}
	return size(i.DiskBytes)
}

func (a *app) imageRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rm IMAGE...", Short: "Remove images that no job uses", Args: takes("IMAGE..."),
		Long:    "Remove images that no job uses. A name is enough if only one image has it; otherwise\nadd the digest as `aliquot image list` shows it. The built-in image stays:\njobs that name no image boot it. An older built-in one can be removed.",
		Example: "  aliquot image rm mine\n  aliquot image rm mine@sha256:2c26b46b68ff",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			return a.each(args, func(reference string) (string, error) {
				_, err := c.RemoveImage(ctx, reference)
				return reference + " is removed.", err
			})
		}),
	}
}
