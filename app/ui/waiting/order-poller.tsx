import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useRevalidator } from "react-router"
import { orderMark } from "./fetch-order-version"

const OFTEN = 3_000
const SELDOM = 15_000

/** `serviceId`: null watches the order in hand. */
type Watched = { mark: string; serviceId: string | null }

/** Looks again whether something has happened to the order, and shows the page anew when it has. */
export function OrderWatch(watched: Watched) {
  const [client] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={client}>
      <Poll {...watched} />
    </QueryClientProvider>
  )
}

/** Less and less often; not at all while the page is hidden or the browser offline. */
function Poll({ mark, serviceId }: Watched) {
  const { revalidate } = useRevalidator()
  const { data: latest } = useQuery({
    queryKey: ["order", serviceId],
    queryFn: ({ signal }) => orderMark(serviceId, signal),
    initialData: mark,
    refetchInterval: ({ state }) => Math.min(SELDOM, OFTEN + 500 * state.dataUpdateCount),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: "always",
  })
  useEffect(() => {
    if (latest !== mark) void revalidate()
  }, [latest, mark, revalidate])
  return null
}
