import { createServer } from 'node:http';
import type Koa from 'koa';
import { behind, type Front } from '../../http/application.ts';
import { listening } from './raw-receiver.ts';

/** The application, behind a front where one is given, on a port of its own until the test is over; answers its URL. */
export async function serve(app: Koa, front: Front = () => false): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(behind(front, app)))}`;
}
