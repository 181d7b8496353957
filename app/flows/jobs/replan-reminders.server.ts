import type { LoggedServices } from "~/context/services.server"

/** Lets reminders that were set otherwise, or mail that was switched on, apply to the terms that run already. */
export async function replanReminders({
  dunning,
  now,
  log,
}: Pick<LoggedServices, "dunning" | "now" | "log">): Promise<void> {
  const services = (await dunning?.replanReminders(now())) ?? 0
  if (services > 0) log.info({ services }, "reminders planned anew")
}
