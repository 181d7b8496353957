import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, get, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { setImmediate } from "node:timers/promises"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { expect, onTestFinished, test } from "vitest"
import { sendResponse } from "./web-response.server"

const headers = { "content-type": "audio/x-mpegurl; charset=utf-8" }
/** Text that takes long to compress, like the playlist of a panel with many channels. */
const large = randomBytes(4_000_000).toString("base64")

test.each([
  ["gzip", gunzipSync],
  ["br", brotliDecompressSync],
])(
  "compresses (%s) a playlist of many megabytes in pieces without blocking the event loop",
  async (encoding, unpack) => {
    const url = await serving(new Response(large, { headers }))
    const work = measureWork()
    const response = await fetchPage(url, encoding)
    const bytes = await buffer(response)
    const { longestBlock, total } = await work.end()
    expect(response.headers).toMatchObject({ "content-encoding": encoding, vary: "accept-encoding" })
    expect(unpack(bytes).toString()).toBe(large)
    // Without pieces, one event-loop iteration would take nearly all of the time.
    expect(longestBlock).toBeLessThan(total / 2)
  },
)

test("a client that disconnects during a large response causes no error", async () => {
  const url = await serving(new Response(large, { headers }))
  const response = await fetchPage(url, "gzip")
  response.destroy()
  await once(response, "close")
  expect((await fetchPage(url, "identity")).headers["content-length"]).toBe(String(large.length))
})

test("a small response has a content-length", async () => {
  const url = await serving(new Response("#EXTM3U\n".repeat(500), { headers }))
  const { headers: response } = await fetchPage(url, "gzip")
  expect(response).toMatchObject({ "content-encoding": "gzip", "content-length": expect.any(String) })
})

async function serving(response: Response): Promise<string> {
  const server = createServer((from, to) => void sendResponse(response.clone(), from, to))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** CPU time of the process and of the longest event-loop iteration; other load on the machine does not count. */
function measureWork() {
  const start = process.cpuUsage()
  let isDone = false
  let longestBlock = 0
  const work = (async () => {
    while (!isDone) {
      const before = process.threadCpuUsage()
      await setImmediate()
      const { user, system } = process.threadCpuUsage(before)
      longestBlock = Math.max(longestBlock, user + system)
    }
  })()
  return {
    async end() {
      isDone = true
      await work
      const { user, system } = process.cpuUsage(start)
      return { longestBlock, total: user + system }
    },
  }
}

function fetchPage(url: string, encoding: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": encoding } }, resolve).on("error", reject)
  })
}
