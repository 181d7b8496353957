import type { ComponentProps } from "react"
import { OrderPoller } from "./order-poller"
import { WaitingScreen } from "./waiting-screen"

type Page = ComponentProps<typeof WaitingScreen> & {
  version: string
  /** Null: the page does not reload. */
  refreshSeconds: number | null
}

/** The waiting page of viewers and resellers, which polls for changes. */
export function WaitingPage({ version, refreshSeconds, ...shown }: Page) {
  return (
    <>
      <WaitingScreen {...shown} />
      {refreshSeconds !== null && <OrderPoller version={version} serviceId={null} />}
    </>
  )
}
