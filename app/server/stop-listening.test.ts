import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Worker } from "node:worker_threads"
import { afterEach, expect, test } from "vitest"
import { stopListening } from "./stop-listening.server"

const WAITING = 20

/** Opens connections, says so, and asks for a page on each of them. Tells how many were answered. */
const clients = `
const { connect } = require("node:net")
const { parentPort, workerData: { port, count, opened } } = require("node:worker_threads")
let ended = 0
let answered = 0
for (let nth = 0; nth < count; nth++) {
  const socket = connect(port, "127.0.0.1", () => {
    socket.write("GET / HTTP/1.1\\r\\nhost: shop.test\\r\\nconnection: close\\r\\n\\r\\n")
    Atomics.add(opened, 0, 1)
    Atomics.notify(opened, 0)
  })
  let text = ""
  socket.on("data", (bytes) => { text += bytes })
  socket.on("error", () => {})
  socket.on("close", () => {
    if (text.startsWith("HTTP/1.1 200")) answered++
    if (++ended === count) parentPort.postMessage(answered)
  })
}`

let worker: Worker | undefined
afterEach(() => worker?.terminate())

test("requests on connections that wait while the server is busy are answered before it stops", async () => {
  const server = createServer((_, response) => response.end("page"))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const opened = new Int32Array(new SharedArrayBuffer(4))
  worker = new Worker(clients, { eval: true, workerData: { port, count: WAITING, opened } })
  const answered = once(worker, "message")
  // The event loop stands still until the kernel has all connections.
  while (Atomics.load(opened, 0) < WAITING) Atomics.wait(opened, 0, Atomics.load(opened, 0), 1_000)
  await stopListening(server)
  expect(await answered).toEqual([WAITING])
  expect(server.listening).toBe(false)
})
