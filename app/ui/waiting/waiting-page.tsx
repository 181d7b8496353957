import type { ComponentProps } from "react"
import type { RefusedForm } from "~/domain/refused-form"
import { OrderEmail, type OrderEmailShown } from "./order-email"
import { OrderPoller } from "./order-poller"
import { WaitingScreen } from "./waiting-screen"

type Page = Omit<ComponentProps<typeof WaitingScreen>, "orderEmail"> & {
  orderEmail: OrderEmailShown | null
  lastResult: RefusedForm | null | undefined
  version: string
}

/** The waiting page of viewers and resellers, which polls for changes. */
export function WaitingPage({ version, orderEmail, lastResult, ...shown }: Page) {
  return (
    <>
      <WaitingScreen {...shown} orderEmail={<OrderEmail shown={orderEmail} lastResult={lastResult} />} />
      {shown.reloads && <OrderPoller version={version} serviceId={null} />}
    </>
  )
}
