import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { inProject } from "../../../scripts/setup/project-root.mjs"

/** Memory of the client's young objects, in megabytes. */
const YOUNG_MEGABYTES = 3

/**
 * Runs a client of this folder, which posts one message, in a thread whose young objects are collected often and therefore briefly:
 * a client's own pauses would count as the shop's, and with Node's usual size they are up to 15 ms.
 */
export async function fromClientThread<Task, Answers>(file: string, workerData: Task): Promise<Answers> {
  const worker = new Worker(inProject("tests", "performance", "bench", file), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  })
  const [answers] = await once(worker, "message")
  await worker.terminate()
  return answers
}
