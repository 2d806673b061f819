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
		Use: "push NAME [FOLDER]", Short: "Push a kernel and an initrd", Args: func(c *cobra.Command, args []string) error {
			return takes([]string{"NAME", "FOLDER"}[:max(1, min(len(args), 2))]...)(c, args)
		},
		Long: `Push a kernel and an initrd as an image and print its name for jobs. Give the files with
--kernel and --initrd, or in a folder as kernel, initrd and, optionally, cmdline.`,
		Example: "  aliquot image push mine build/guest\n  aliquot image push mine --kernel /boot/vmlinuz --initrd initrd.img --cmdline 'quiet'",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if len(args) == 2 {
				if err := fromFolder(&source, args[1]); err != nil {
					return err
				}
			}
			if source.Kernel == "" || source.Initrd == "" {
				return usagef("an image needs --kernel and --initrd, or a folder that holds both")
			}
			image, err := c.PushImage(ctx, args[0], source)
			if err != nil {
				return err
			}
			return a.show(image, func(w io.Writer) { fmt.Fprintln(w, image.Reference) })
		}),
	}
	c.Flags().StringVar(&source.Kernel, "kernel", "", "file of the kernel")
	c.Flags().StringVar(&source.Initrd, "initrd", "", "file of the initial file system")
	c.Flags().StringVar(&source.Cmdline, "cmdline", "", "further words of the kernel's command line")
	return c
}

// fromFolder fills in files without a flag from the folder.
func fromFolder(source *client.ImageSource, folder string) error {
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
With -o json or yaml it shows the whole digest and the kernel's command line, too.`,
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
	rows := [][]string{{"IMAGE", "KIND", "SIZE", "ADDED", "BUILT IN"}}
	for _, i := range images {
		rows = append(rows, []string{fmt.Sprintf("%s@sha256:%.12s", i.Name, i.Digest), i.Kind, size(i.SizeBytes),
			when(i.Added), word(i.Builtin, "yes", "-")})
	}
	table(w, rows)
}

func (a *app) imageRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rm IMAGE...", Short: "Remove images that no job uses", Args: takes("IMAGE..."),
		Long:    "Remove images that no job uses. A name is enough if only one image has it; otherwise\nadd the digest as `aliquot image list` shows it.",
		Example: "  aliquot image rm mine\n  aliquot image rm mine@sha256:2c26b46b68ff",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			return a.each(args, func(reference string) (string, error) {
				_, err := c.RemoveImage(ctx, reference)
				return reference + " is removed.", err
			})
		}),
	}
}
