import type { ComponentProps } from "react"
import { OrderPoller } from "./order-poller"
import { WaitingScreen } from "./waiting-screen"

type Page = ComponentProps<typeof WaitingScreen> & {
  version: string
  /** Null: the page does not look again by itself. */
  refreshSeconds: number | null
}

/** The waiting page, viewers' or resellers', which looks again by itself whether something has happened. */
export function WaitingPage({ version, refreshSeconds, ...shown }: Page) {
  return (
    <>
      <WaitingScreen {...shown} />
      {refreshSeconds !== null && <OrderPoller version={version} serviceId={null} />}
    </>
  )
}
