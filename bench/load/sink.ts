// The cheapest refusal there can be: reads requests without parsing them and answers each with the same few bytes. It shows what
// a flood costs the machine before any server has done anything about it.
//
//   node bench/load/sink.ts

import { createServer } from 'node:net';

const REFUSAL = 'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n';

const server = createServer(socket => {
  socket.on('error', () => {});
  socket.on('data', chunk => {
    // Requests of the generator are written whole.
    const requests = chunk.toString('latin1').split('\r\n\r\n').length - 1;
    socket.write(REFUSAL.repeat(requests));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
