import type { ComponentProps } from "react"
import type { RefusedForm } from "~/domain/forms/refused-form"
import { OrderEmail, type OrderEmailShown } from "./order-email"
import { OrderPoller } from "./order-poller"
import { WaitingScreen } from "./waiting-screen"

type Page = Omit<ComponentProps<typeof WaitingScreen>, "orderEmail"> & {
  orderEmail: OrderEmailShown | null
  lastResult: RefusedForm | null | undefined
  version: string
  /** Null: the page does not reload. */
  refreshSeconds: number | null
}

/** The waiting page of viewers and resellers, which polls for changes. */
export function WaitingPage({ version, refreshSeconds, orderEmail, lastResult, ...shown }: Page) {
  return (
    <>
      <WaitingScreen {...shown} orderEmail={<OrderEmail shown={orderEmail} lastResult={lastResult} />} />
      {refreshSeconds !== null && <OrderPoller version={version} serviceId={null} />}
    </>
  )
}
