import { connect, type Socket } from 'node:net';
import { toError } from '../../src/base/errors.js';

const HEAD_END = Buffer.from('\r\n\r\n');

/** Called with the status and body of an answer; the body is valid during the callback. */
export type AnswerListener = (status: number, body: Buffer) => void;

/**
 * A keep-alive HTTP/1.1 connection on a bare socket: whole requests go out as text, answers come back framed by their
 * content-length, in the order of the requests. Cheap enough for a load generator not to starve the server on the same
 * cores.
 */
export class RawHttpConnection {
  readonly #socket: Socket;
  readonly #onAnswer: AnswerListener;
  #rest: Buffer = Buffer.alloc(0);
  #closing = false;

  private constructor(socket: Socket, onAnswer: AnswerListener, onFailure: (error: Error) => void) {
    this.#socket = socket;
    this.#onAnswer = onAnswer;
    socket.on('data', (chunk) => {
      try {
        this.#take(chunk);
      } catch (error) {
        socket.destroy(toError(error));
      }
    });
    socket.on('error', onFailure);
    socket.on('close', () => {
      if (!this.#closing) onFailure(new Error('the server closed the connection'));
    });
  }

  static open(
    url: string,
    onAnswer: AnswerListener,
    onFailure: (error: Error) => void,
  ): Promise<RawHttpConnection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawHttpConnection(socket, onAnswer, onFailure));
      });
    });
  }

  /** Sends one or more whole requests, Latin-1. */
  send(requests: string): void {
    this.#socket.write(requests, 'latin1');
  }

  close(): void {
    this.#closing = true;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const headEnd = data.indexOf(HEAD_END);
      if (headEnd < 0) break;
      const head = data.toString('latin1', 0, headEnd).toLowerCase();
      const bodyStart = headEnd + HEAD_END.length;
      const bodyEnd = bodyStart + contentLength(head);
      if (data.length < bodyEnd) break;
      this.#onAnswer(Number(head.slice(9, 12)), data.subarray(bodyStart, bodyEnd));
      data = data.subarray(bodyEnd);
    }
    this.#rest = data;
  }
}

function contentLength(head: string): number {
  const at = head.indexOf('\r\ncontent-length:');
  if (at < 0) throw new Error(`an answer without content-length: ${head}`);
  return Number.parseInt(head.slice(at + 17), 10);
}

/** A whole POST of a JSON body. @param token sent as a bearer token */
export function postRequest(path: string, body: string, token?: string): string {
  const length = Buffer.byteLength(body);
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${authorization}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
}
