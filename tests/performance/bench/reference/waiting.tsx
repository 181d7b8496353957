import type { ComponentProps } from "react"
import { useLoaderData } from "react-router"
import type { PageHandle } from "~/ssr/document"
import { OrderPoller } from "~/ui/waiting/order-poller"
import { WaitingScreen } from "~/ui/waiting/waiting-screen"
import { dataOf } from "./captured-page"

type Data = ComponentProps<typeof WaitingScreen> & { version: string; refreshSeconds: number | null }

export const handle = { title: "title.waiting", public: false } satisfies PageHandle
export const loader = () => dataOf<Data>("/checkout/waiting", "routes/waiting")

// biome-ignore lint/style/noDefaultExport: React Router asks for it
export default function Waiting() {
  const { version, refreshSeconds, ...shown } = useLoaderData<Data>()
  return (
    <>
      <WaitingScreen {...shown} />
      {refreshSeconds !== null && <OrderPoller version={version} serviceId={null} />}
    </>
  )
}
