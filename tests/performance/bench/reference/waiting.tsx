import type { ComponentProps } from "react"
import { useLoaderData } from "react-router"
import type { PageHandle } from "~/document"
import { OrderWatch } from "~/ui/order-watch"
import { WaitingScreen } from "~/ui/waiting-screen"
import { dataOf } from "./captured"

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
