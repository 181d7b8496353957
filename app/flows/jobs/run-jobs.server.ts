import type { Job, jobQueues } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { provisionService } from "./provision-service.server"
import { terminateAndRecreate } from "./recreate-service.server"
import { runBatch } from "./run-batch.server"
import { setConnections } from "./set-connections.server"
import { setCredits } from "./set-credits.server"
import { setDevice } from "./set-device.server"
import { setPlan, startNextPlan } from "./set-plan.server"
import { settleRenewal } from "./settle-renewal.server"
import { updatePanel } from "./update-panel.server"

const AT_ONCE = 20

type Handler = (services: LoggedServices, job: Job) => Promise<void>

type PanelQueue = "services" | "terms"

const panelJobs: Record<(typeof jobQueues)[PanelQueue][number], Handler> = {
  provision: provisionService,
  connections: setConnections,
  device: setDevice,
  renewal: settleRenewal,
  plan: setPlan,
  "next-plan": startNextPlan,
  "reseller-credits": setCredits,
  recreate: async (services, job) => void (await terminateAndRecreate(services, job)),
  extend: updatePanel,
  suspend: updatePanel,
  resume: updatePanel,
  terminate: updatePanel,
}

const jobHandlers: Partial<Record<Job["topic"], Handler>> = panelJobs

/** Runs a batch of due jobs of services. Returns their number, 0 if none was due. */
export async function runJobs(services: LoggedServices, queue: PanelQueue = "services"): Promise<number> {
  return runBatch(services, { queue, atOnce: AT_ONCE }, async (job) =>
    jobHandlers[job.topic]?.(services, job),
  )
}
