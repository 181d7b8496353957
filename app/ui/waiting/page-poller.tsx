import { useQuery } from "@tanstack/react-query"
import { useRevalidator } from "react-router"
import { Polling } from "./polling"

/** Reloads the page's data again and again: for a page whose loader looks at another system. */
export function PagePoller({ everyMs }: { everyMs: number }) {
  return (
    <Polling>
      <Poll everyMs={everyMs} />
    </Polling>
  )
}

/** Paused while the page is hidden or offline. */
function Poll({ everyMs }: { everyMs: number }) {
  const { revalidate } = useRevalidator()
  useQuery({
    queryKey: ["page"],
    queryFn: () => revalidate().then(() => null),
    initialData: null,
    refetchOnMount: false,
    refetchInterval: everyMs,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: "always",
  })
  return null
}
