import type { LoggedServices } from "~/context/services.server"

/** Starts the terms of services from before terms. Services without a known end are told to the operator. */
export async function startEarlierTerms({
  billing,
  now,
  log,
}: Pick<LoggedServices, "billing" | "now" | "log">): Promise<void> {
  const { started, unknown } = await billing.startEarlierTerms(now())
  if (started > 0) log.info({ services: started }, "terms of earlier services started")
  if (unknown > 0) log.warn({ services: unknown }, "services without a known end")
}
