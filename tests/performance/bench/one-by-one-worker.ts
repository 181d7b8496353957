import { once } from "node:events"
import { Agent, get, type IncomingMessage } from "node:http"
import { parentPort, workerData } from "node:worker_threads"

/** `seconds`: how long one request follows the other. */
export type Task = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly seconds: number
}

const { url, headers, seconds }: Task = workerData
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const times: number[] = []
const end = performance.now() + seconds * 1_000
while (performance.now() < end) {
  const sent = performance.now()
  await answered()
  times.push(performance.now() - sent)
}
agent.destroy()
/** Milliseconds from each request until the last byte of its answer. */
parentPort?.postMessage(times)

async function answered(): Promise<void> {
  const [response]: IncomingMessage[] = await once(get(url, { agent, headers }), "response")
  if (response?.statusCode !== 200) throw new Error(`${url} answered ${response?.statusCode}`)
  response.resume()
  await once(response, "end")
}
