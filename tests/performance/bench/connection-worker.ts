import { connect } from "node:net"
import { parentPort, workerData } from "node:worker_threads"
import { openLoop } from "./open-loop.ts"

/** A request as it is sent, and the status that its answer must have. */
export type Prepared = { readonly kind: string; readonly bytes: Uint8Array; readonly status: number }

export type Task = {
  readonly port: number
  readonly requests: readonly Prepared[]
  readonly perSecond: number
}

export type Answers = {
  /** Milliseconds of each answered request from the moment it was sent, by kind. */
  readonly times: Readonly<Record<string, readonly number[]>>
  /** Milliseconds by which each request was sent too late. */
  readonly late: readonly number[]
  readonly failures: readonly string[]
  /** Seconds from the first request until the last answer. */
  readonly seconds: number
}

/** Length of "HTTP/1.1 ", and of that with the status. */
const [BEFORE_STATUS, WITH_STATUS] = [9, 12]

const { port, requests, perSecond }: Task = workerData
const times: Record<string, number[]> = {}
const late: number[] = []
const began = performance.now()
const { failures } = await openLoop({ perSecond, seconds: requests.length / perSecond }, async (nth) => {
  const request = requests[nth]
  if (!request) return
  const sent = performance.now()
  late.push(sent - began - (nth * 1_000) / perSecond)
  await answered(request)
  times[request.kind] ??= []
  times[request.kind]?.push(performance.now() - sent)
})
const answers: Answers = { times, late, failures, seconds: (performance.now() - began) / 1_000 }
parentPort?.postMessage(answers)

/** Sends a request on a connection of its own, which the server closes after its answer. */
function answered({ bytes, status }: Prepared): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port })
    let first: Buffer | null = null
    socket.on("connect", () => socket.write(bytes))
    socket.on("data", (part: Buffer) => {
      first ??= part
    })
    socket.on("end", () => {
      socket.destroy()
      const found = first?.toString("latin1", BEFORE_STATUS, WITH_STATUS)
      if (found === String(status)) resolve()
      else reject(new Error(`answered ${found ?? "nothing"}`))
    })
    socket.on("error", reject)
  })
}
