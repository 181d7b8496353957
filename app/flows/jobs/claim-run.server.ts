import type { LoggedServices } from "~/context/services.server"

type Claim = {
  /** Name of the task, the same on all instances. */
  readonly task: string
  /** Milliseconds between two runs. */
  readonly every: number
}

/** Claims the next run of a task that runs once in a period on all instances together. False: its time has not come yet. */
export function claimRun(
  { outbox, newId, now }: Pick<LoggedServices, "outbox" | "newId" | "now">,
  { task, every }: Claim,
): Promise<boolean> {
  // A new holder each time, so that the lease also is the pause until the next run.
  return outbox.lease(task, newId(), now(), every)
}
