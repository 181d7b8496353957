import type { Job } from "~/billing/outbox"
import type { Services } from "~/context/services.server"
import { SECOND } from "~/domain/calendar"
import { setUpService } from "./provision-service.server"
import { makeAnew } from "./recreate-service.server"
import { setConnections } from "./set-connections.server"

/** A job whose worker died is taken over after this long: a buyer may be looking at the page that waits for it. */
const LEASE = 15 * SECOND
const AT_ONCE = 20

const carryOut: Record<Job["topic"], (services: Services, job: Job) => Promise<void>> = {
  provision: setUpService,
  connections: setConnections,
  recreate: async (services, job) => void (await makeAnew(services, job)),
}

/** Carries out the jobs that are due; answers how many there were, so that the caller can go on while there are. */
export async function runJobs(services: Services): Promise<number> {
  const jobs = await services.outbox.claim(services.now(), LEASE, AT_ONCE)
  await Promise.all(jobs.map((job) => carryOut[job.topic](services, job)))
  return jobs.length
}
