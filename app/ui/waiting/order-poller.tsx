import { useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { useRevalidator } from "react-router"
import { fetchOrderVersion } from "./fetch-order-version"
import { Polling } from "./polling"

const OFTEN = 3_000
const SELDOM = 15_000

/** `serviceId`: null polls the current order. */
type PolledOrder = { version: string; serviceId: string | null }

/** Polls the order's version and reloads the page's data when it changes. */
export function OrderPoller(polledOrder: PolledOrder) {
  return (
    <Polling>
      <Poll {...polledOrder} />
    </Polling>
  )
}

/** Polls with growing intervals; paused while the page is hidden or offline. */
function Poll({ version, serviceId }: PolledOrder) {
  const { revalidate } = useRevalidator()
  const { data: latest } = useQuery({
    queryKey: ["order", serviceId],
    queryFn: ({ signal }) => fetchOrderVersion(serviceId, signal),
    initialData: version,
    refetchInterval: ({ state }) => Math.min(SELDOM, OFTEN + 500 * state.dataUpdateCount),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: "always",
  })
  useEffect(() => {
    if (latest !== version) void revalidate()
  }, [latest, version, revalidate])
  return null
}
