import type { ComponentProps } from "react"
import { useLoaderData } from "react-router"
import type { PageHandle } from "~/ssr/document"
import { OrderWatch } from "~/ui/waiting/order-poller"
import { WaitingScreen } from "~/ui/waiting/waiting-screen"
import { dataOf } from "./captured-page"

type Data = ComponentProps<typeof WaitingScreen> & { mark: string; refreshSeconds: number | null }

export const handle = { title: "title.waiting", public: false } satisfies PageHandle
export const loader = () => dataOf<Data>("/checkout/waiting", "routes/waiting")

// biome-ignore lint/style/noDefaultExport: React Router asks for it
export default function Waiting() {
  const { mark, refreshSeconds, ...shown } = useLoaderData<Data>()
  return (
    <>
      <WaitingScreen {...shown} />
      {refreshSeconds !== null && <OrderWatch mark={mark} serviceId={null} />}
    </>
  )
}
