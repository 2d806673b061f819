/** One message of a stream of server-sent events. */
export interface Message {
  id: string;
  kind: string;
  data: string;
}

/** Reads the messages of a text/event-stream body until it ends; a message without its empty line is dropped. */
export async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  let message: Message = { id: '', kind: '', data: '' };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line !== '') {
          add(message, line);
          continue;
        }
        if (message.data !== '') yield message;
        message = { id: '', kind: '', data: '' };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function add(message: Message, line: string) {
  const colon = line.indexOf(':');
  if (colon === 0) return; // a comment keeps the connection alive
  const field = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (field === 'id') message.id = value;
  else if (field === 'event') message.kind = value;
  else if (field === 'data') message.data += (message.data === '' ? '' : '\n') + value;
}
