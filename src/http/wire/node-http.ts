// What the service runs of Node's HTTP. An `import` of `node:http` looks at all that it exports, and so loads the fetch client
// and WebSockets with it: two thirds of the time that a thread takes to load this folder.

export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');
