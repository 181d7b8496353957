import { basename } from "node:path"
import { z } from "zod"
import { memoryOf } from "./process-memory"
import type { TestServer } from "./server-process"

/** Options of Node for a shop whose memory is measured: it listens for a debugger on a free port. */
export const measurable = { NODE_OPTIONS: "--inspect=127.0.0.1:0" } as const

/** Memory in KiB that a process holds after all garbage is collected. */
export type HeldMemory = {
  /** Resident memory of the process: includes what native code holds. */
  readonly resident: number
  /** JavaScript objects and the contents of buffers. */
  readonly heap: number
}

const Usage = z.object({ usedSize: z.number(), backingStorageSize: z.number() })
const Parsed = z.object({
  method: z.literal("Debugger.scriptParsed"),
  params: z.object({ url: z.string() }),
})
const Reply = z.object({ id: z.number(), result: z.unknown() })

/** Measures the memory of a shop that was started with `measurable`. */
export type MemoryMeter = {
  held(): Promise<HeldMemory>
  /** Names of the built files whose code the process has loaded. */
  loadedFiles(): Promise<readonly string[]>
  close(): void
}

/** Connects to the debugger of a shop. Throws if it does not listen. */
export async function openMemoryMeter(shop: TestServer): Promise<MemoryMeter> {
  const [address] = /ws:\/\/\S+/.exec(shop.output()) ?? []
  if (!address) throw new Error(`No debugger to connect to:\n${shop.output()}`)
  const socket = new WebSocket(address)
  const open = Promise.withResolvers<void>()
  const replies = new Map<number, (result: unknown) => void>()
  socket.addEventListener("open", () => open.resolve())
  socket.addEventListener("error", () => open.reject(new Error(`Cannot connect to ${address}`)))
  const loaded = new Set<string>()
  socket.addEventListener("message", ({ data }) => {
    const message: unknown = JSON.parse(String(data))
    const reply = Reply.safeParse(message)
    if (reply.success) replies.get(reply.data.id)?.(reply.data.result)
    const parsed = Parsed.safeParse(message)
    if (parsed.success) loaded.add(basename(parsed.data.params.url))
  })
  await open.promise
  let calls = 0
  const call = (method: string) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const id = ++calls
    replies.set(id, resolve)
    socket.send(JSON.stringify({ id, method }))
    return promise
  }
  return {
    async held() {
      await call("HeapProfiler.collectGarbage")
      const { usedSize, backingStorageSize } = Usage.parse(await call("Runtime.getHeapUsage"))
      return { resident: memoryOf(shop.pid() ?? 0) * 1_024, heap: (usedSize + backingStorageSize) / 1_024 }
    },
    async loadedFiles() {
      // Enabled anew, the debugger names all code that there is before it answers.
      await call("Debugger.enable")
      await call("Debugger.disable")
      return [...loaded]
    },
    close: () => socket.close(),
  }
}
