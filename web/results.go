package web

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"mime"
	"path"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

// Results are the files that a run has left. The caller closes them. Guests name the files and write them: paths are
// plain and relative, and contents are anything.
type Results interface {
	List() ResultList
	// Open returns the content of the file with that index in the list. Reading fails where the content is damaged, and
	// when the context of the results has ended.
	Open(i int) io.Reader
	io.Closer
}

// ResultList lists the files that a run has left.
type ResultList struct {
	Files    []ResultFile    // by path
	Omitted  []OmittedResult // as the guest tells
	LeftOut  int             // how many were omitted, told or not
	Complete bool            // the guest has sent all
	Damaged  bool            // something that no guest of ours sends follows the files
}

// ResultFile is a file that a run has left.
type ResultFile struct {
	Path string // relative, without .. and characters that cannot be printed; none leads through another
	Size int64  // bytes
}

// OmittedResult is a file or a pattern of a job's outputs that is not among the results, and the code of the reason.
type OmittedResult struct{ Path, Why string }

// ResultPath names the results of a task in a path.
type ResultPath struct {
	JobPath
	Task int `path:"task" minimum:"0" doc:"Its index" example:"0"`
	Run  int `query:"run" minimum:"0" default:"0" doc:"Number of the run; 0: the latest"`
}

func (s *server) registerResults(to huma.API) {
	const base, whose = "/v1/jobs/{job}/tasks/{task}/files", " For the job's project and for operators."
	register(s, to, operation("list-results", "GET", base, cluster.Viewer, "List the files that a task has left",
		"Those that the job's outputs name, kept when the command of a run has ended, successful or not. They are removed with the output."+
			whose), s.listResults)
	one := operation("get-result", "GET", base+"/content", cluster.Viewer, "Download a file that a task has left",
		"Its content is up to the task: open it with care."+whose)
	one.Responses = binary("application/octet-stream", "The content")
	register(s, to, audited(one), s.getResult)
	all := operation("get-results", "GET", base+"/archive", cluster.Viewer, "Download the files that a task has left",
		"A tar archive, which holds nothing but regular files below relative paths."+whose)
	all.Responses = binary("application/x-tar", "The archive")
	register(s, to, audited(all), s.getResults)
}

func binary(kind, description string) map[string]*huma.Response {
	return map[string]*huma.Response{"200": {Description: description,
		Content: map[string]*huma.MediaType{kind: {Schema: &huma.Schema{Type: "string", Format: "binary"}}}}}
}

// resultsRun returns the run whose results are asked for.
func (s *server) resultsRun(ctx context.Context, in ResultPath) (cluster.RunID, error) {
	_, j, err := s.find(ctx, in.JobPath)
	if err != nil {
		return cluster.RunID{}, err
	}
	if !mayRead(actor(ctx), j.Spec) {
		return cluster.RunID{}, newProblem(string(cluster.CodeForbidden), "",
			"%v belongs to project %s; its files are for that project and for operators", j.ID, j.Spec.Project)
	}
	return runIn(j, in.Task, in.Run)
}

// runIn returns the task's run with that number, 0 for the latest.
func runIn(j *cluster.Job, task, run int) (id cluster.RunID, err error) {
	switch {
	case task >= len(j.Tasks):
		return id, newProblem(string(cluster.CodeNotFound), "task", "%v has no such task; its last is task %d", j.ID,
			len(j.Tasks)-1)
	case run > j.Tasks[task].Run:
		return id, newProblem(string(cluster.CodeNotFound), "run", "task %d of %v has no such run; its latest is run %d",
			task, j.ID, j.Tasks[task].Run)
	case run == 0:
		run = j.Tasks[task].Run
	}
	return cluster.RunID{Job: j.ID, Index: task, Number: run}, nil
}

func (s *server) listResults(ctx context.Context, in *ResultPath) (*body[api.Results], error) {
	run, err := s.resultsRun(ctx, *in)
	if err != nil {
		return nil, err
	}
	results, err := s.manager.Results(ctx, run)
	if err != nil {
		return nil, err
	}
	defer results.Close()
	return answer(resultsJSON(run.Number, results.List())), nil
}

func resultsJSON(run int, l ResultList) api.Results {
	out := api.Results{Run: run, Files: []api.ResultFile{}, Omitted: []api.OmittedResult{}, OmittedCount: l.LeftOut,
		Complete: l.Complete, Damaged: l.Damaged}
	for _, f := range l.Files {
		out.Files = append(out.Files, api.ResultFile{Path: f.Path, SizeBytes: f.Size})
		out.SizeBytes += f.Size
	}
	for _, o := range l.Omitted {
		out.Omitted = append(out.Omitted, api.OmittedResult{Path: o.Path, Code: o.Why, Text: wording.Omission(o.Why)})
	}
	return out
}

func (s *server) getResult(ctx context.Context, in *struct {
	ResultPath
	Path string `query:"path" required:"true" minLength:"1" maxLength:"1000" doc:"Path of the file, as it is listed" example:"results/a.csv"`
}) (*huma.StreamResponse, error) {
	run, err := s.resultsRun(ctx, in.ResultPath)
	if err != nil {
		return nil, err
	}
	return s.stream(ctx, func(ctx context.Context, out *message) error {
		return s.withResults(ctx, run, in.Path, func(results Results, chosen []int) error {
			files := results.List().Files
			at := slices.IndexFunc(chosen, func(i int) bool { return files[i].Path == in.Path })
			if at < 0 {
				return noSuchResult(run)
			}
			f := files[chosen[at]]
			out.attach("application/octet-stream", path.Base(f.Path), f.Size)
			_, err := io.Copy(onlyWriter{out}, results.Open(chosen[at]))
			return err
		})
	})
}

func (s *server) getResults(ctx context.Context, in *struct {
	ResultPath
	Path string `query:"path" maxLength:"1000" doc:"Only this file, all of this folder, or what matches this pattern; left out: all" example:"results/*.csv"`
}) (*huma.StreamResponse, error) {
	if _, err := path.Match(in.Path, ""); err != nil {
		return nil, newProblem(string(cluster.CodeInvalid), "path", "is a pattern with a [ that is not closed")
	}
	run, err := s.resultsRun(ctx, in.ResultPath)
	if err != nil {
		return nil, err
	}
	return s.stream(ctx, func(ctx context.Context, out *message) error {
		return s.withResults(ctx, run, in.Path, func(results Results, chosen []int) error {
			return sendArchive(out, fmt.Sprintf("%v-%d.tar", run.Job, run.Index), results, chosen)
		})
	})
}

// withResults passes the results of the run on, with the indexes of those that the path selects.
func (s *server) withResults(ctx context.Context, run cluster.RunID, path string,
	use func(Results, []int) error) error {
	results, err := s.manager.Results(ctx, run)
	if err != nil {
		return err
	}
	defer results.Close()
	var chosen []int
	for i, f := range results.List().Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if cluster.Selects(path, f.Path) {
			chosen = append(chosen, i)
		}
	}
	if path != "" && len(chosen) == 0 {
		return noSuchResult(run)
	}
	return use(results, chosen)
}

func noSuchResult(run cluster.RunID) error {
	return newProblem(string(cluster.CodeNotFound), "path", "run %v has left no such file", run)
}

// sendArchive sends the chosen files. The length comes first, so that no client takes a part for the whole.
func sendArchive(out *message, name string, results Results, chosen []int) error {
	files := results.List().Files
	size := counter(2 * tarBlock)
	for _, i := range chosen {
		if err := tar.NewWriter(&size).WriteHeader(resultHeader(files[i])); err != nil {
			return err
		}
		size += counter((files[i].Size + tarBlock - 1) / tarBlock * tarBlock)
	}
	out.attach("application/x-tar", name, int64(size))
	to := tar.NewWriter(out)
	for _, i := range chosen {
		if err := to.WriteHeader(resultHeader(files[i])); err != nil {
			return err
		}
		if _, err := io.Copy(to, results.Open(i)); err != nil {
			return err
		}
	}
	return to.Close()
}

const tarBlock = 512 // bytes; an archive ends with two

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func resultHeader(f ResultFile) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: f.Path, Size: f.Size, Mode: 0o644}
}

// attach begins an answer of that many bytes, which browsers save and never show.
func (m *message) attach(kind, name string, size int64) {
	h := m.w.Header()
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	m.begin(kind)
}
