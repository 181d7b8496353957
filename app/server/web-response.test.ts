import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, get, IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { setImmediate } from "node:timers/promises"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { expect, onTestFinished, test } from "vitest"
import { streamedResponse } from "~/http/streamed-response.server"
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

test.each(["gzip", "br", "identity"])(
  "sends a streamed body (%s) as it comes, and whole",
  async (encoding) => {
    const more = Promise.withResolvers<void>()
    async function* source() {
      yield Buffer.from("#EXTM3U\n".repeat(20_000))
      await more.promise
      yield Buffer.from("end")
    }
    const response = await fetchPage(await streaming(source), encoding)
    const parts: Buffer[] = []
    for await (const part of response) {
      more.resolve()
      parts.push(part)
    }
    const bytes = Buffer.concat(parts)
    expect(unpacked[encoding]?.(bytes).toString()).toBe(`${"#EXTM3U\n".repeat(20_000)}end`)
    expect(response.headers["content-length"]).toBeUndefined()
  },
)

test.each(["gzip", "br", "identity"])(
  "breaks the connection (%s) when a streamed body fails",
  async (encoding) => {
    async function* source() {
      yield Buffer.from("#EXTM3U\n")
      throw new Error("the panel broke off")
    }
    const failures: unknown[] = []
    const url = await streaming(source, (error) => failures.push(error))
    const response = await fetchPage(url, encoding).catch((error: unknown) => error)
    const received =
      response instanceof IncomingMessage ? await buffer(response).catch((it: unknown) => it) : response
    expect(received).toMatchObject({ code: "ECONNRESET" })
    await expect.poll(() => failures).toMatchObject([{ message: "the panel broke off" }])
  },
)

test("a client that leaves a streamed body ends its source without an error", async () => {
  const left = Promise.withResolvers<void>()
  async function* source() {
    try {
      for (;;) {
        yield Buffer.from("#EXTM3U\n".repeat(1_000))
        await setImmediate()
      }
    } finally {
      left.resolve()
    }
  }
  const failures: unknown[] = []
  const url = await streaming(source, (error) => failures.push(error))
  const response = await fetchPage(url, "identity")
  await once(response, "data")
  response.destroy()
  await left.promise
  expect(failures).toEqual([])
})

test("HEAD for a streamed body has the headers and ends its source", async () => {
  const left = Promise.withResolvers<void>()
  async function* source() {
    try {
      yield Buffer.from("#EXTM3U\n")
    } finally {
      left.resolve()
    }
  }
  const response = await fetch(await streaming(source), { method: "HEAD" })
  expect([response.status, await response.text()]).toEqual([200, ""])
  await left.promise
})

const unpacked: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  identity: (bytes) => bytes,
}

async function streaming(source: () => AsyncIterable<Uint8Array>, failed = (_: unknown) => {}) {
  return listening((from, to) => {
    sendResponse(streamedResponse(source(), { headers }), from, to).catch(failed)
  })
}

function serving(response: Response): Promise<string> {
  return listening((from, to) => void sendResponse(response.clone(), from, to))
}

async function listening(answer: (from: IncomingMessage, to: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
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
