/**
 * What the router calls of `node:http`. An `import` of it reads all that it exports, and so loads Node's own `fetch` and
 * WebSocket, which no router needs: a tenth of what a start takes.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
