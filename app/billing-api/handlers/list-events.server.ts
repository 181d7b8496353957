import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import type { ApiCall } from "./ownership"

/** Lists the events after a position, for systems that poll instead of receiving webhooks. */
export async function listEvents(
  { services }: ApiCall,
  { after = "0", limit }: RequestOf<"events">,
): Promise<ResponseOf<"events">> {
  const found = await services.webhooks.eventsAfter(Number(after), limit)
  const next = found.at(-1)?.position
  return { events: found.map(({ event }) => event), next: next === undefined ? after : String(next) }
}
