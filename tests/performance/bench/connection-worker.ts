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

/** Milliseconds. */
const ANSWERS_WITHIN = 30_000

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
    const socket = connect({ host: "127.0.0.1", port, timeout: ANSWERS_WITHIN })
    let head = ""
    let length = 0
    socket.on("connect", () => socket.write(bytes))
    socket.on("data", (part: Buffer) => {
      if (length === 0) head = part.toString("latin1")
      length += part.length
    })
    socket.on("end", () => {
      socket.destroy()
      if (head.slice(BEFORE_STATUS, WITH_STATUS) === String(status) && isWhole(head, length)) resolve()
      else reject(new Error(`answered ${length} bytes of ${head.slice(0, WITH_STATUS)}`))
    })
    socket.on("timeout", () => socket.destroy(new Error("no answer in time")))
    socket.on("error", reject)
  })
}

/** Whether an answer, whose head came in its first part, has all of the body that it announces. */
function isWhole(head: string, length: number): boolean {
  const announced = /^content-length: (\d+)\r$/im.exec(head)?.[1]
  return announced === undefined || length === head.indexOf("\r\n\r\n") + 4 + Number(announced)
}
