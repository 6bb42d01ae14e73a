import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request a provider's client sent. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly [field: string]: unknown };
}

/** Answers one request; the last one answers all that follow. */
export type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** A model's server on loopback, stopped when the test is finished. */
export async function modelServer(
  ...responds: readonly Respond[]
): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(body) as Received['body'],
      });
      responds[Math.min(received.length, responds.length) - 1]?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => stop(server));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, received };
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Answers with JSON. */
export function json(body: object, status = 200, headers: Readonly<Record<string, string>> = {}): Respond {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Answers half of a body and cuts the connection. */
export const cutMidBody: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"id":"1","choices":[', () => response.destroy());
};

/** Never answers; tells when the client hangs up. */
export function hang(onClose: () => void): Respond {
  return (_response, request) => {
    request.socket.once('close', onClose);
  };
}

/** An OpenAI chat completion. */
export function completion(
  message: object,
  finish: string | null = 'stop',
  usage: object | null = {},
): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'test',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    ...(usage === null
      ? {}
      : { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, ...usage } }),
  };
}

/** An Anthropic message. */
export function message(content: readonly object[], stop_reason: string | null = 'end_turn'): object {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'test',
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 7 },
  };
}

/** A stream of an OpenAI chat completion: its text in pieces, reasoning before it, then how it ended. */
export function streamed(
  pieces: readonly string[],
  finish: string | null = 'stop',
  reasoning: readonly string[] = [],
): Respond {
  const chunk = (delta: object, more: object = {}): string =>
    `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'test', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of reasoning) response.write(chunk({ reasoning_content: piece }));
    for (const piece of pieces) response.write(chunk({ content: piece }));
    if (finish !== null) {
      const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
      response.write(chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: finish }], usage }));
      response.write('data: [DONE]\n\n');
    }
    response.end();
  };
}

/** A stream that is cut off within its text. */
export function cutStream(pieces: readonly string[]): Respond {
  return (response, request) => {
    const body = streamed(pieces, null);
    const end = response.end.bind(response);
    response.end = () => {
      response.write('', () => response.destroy());
      return response;
    };
    body(response, request);
    response.end = end;
  };
}
