import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useRevalidator } from "react-router"
import { fetchOrderVersion } from "./fetch-order-version"

const OFTEN = 3_000
const SELDOM = 15_000

/** `serviceId`: null watches the order in hand. */
type PolledOrder = { version: string; serviceId: string | null }

/** Looks again whether something has happened to the order, and shows the page anew when it has. */
export function OrderPoller(watched: PolledOrder) {
  const [client] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={client}>
      <Poll {...watched} />
    </QueryClientProvider>
  )
}

/** Less and less often; not at all while the page is hidden or the browser offline. */
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
