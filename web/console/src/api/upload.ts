import { unreachable } from './client';
import { ProblemError, readProblem } from './problem';

/** An upload in progress. */
export interface Upload<Answer> {
  answer: Promise<Answer>;
  /** Aborts the upload; its answer is then rejected. */
  abort: () => void;
}

/** Uploads a body as it is read, and reports the bytes sent, which fetch cannot. */
export function upload<Answer>(path: string, body: Blob, sent: (bytes: number) => void): Upload<Answer> {
  const request = new XMLHttpRequest();
  const answer = new Promise<Answer>((done, failed) => {
    request.upload.onprogress = (event) => sent(event.loaded);
    request.onerror = () => failed(new ProblemError(unreachable));
    request.onabort = () => failed(new DOMException('the upload was aborted', 'AbortError'));
    request.onload = () => {
      if (request.status < 300) done(JSON.parse(request.responseText) as Answer);
      else void readProblem(responseOf(request)).then((problem) => failed(new ProblemError(problem)));
    };
  });
  request.open('POST', path);
  request.setRequestHeader('Content-Type', body.type);
  request.setRequestHeader('Aliquot-Console', '1');
  request.send(body);
  return { answer, abort: () => request.abort() };
}

const responseOf = (request: XMLHttpRequest) =>
  new Response(request.responseText, {
    status: request.status,
    statusText: request.statusText,
    headers: { 'content-type': request.getResponseHeader('content-type') ?? '' },
  });
