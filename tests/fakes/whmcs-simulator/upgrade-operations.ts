import { type Installation, serviceBy } from "./installation"
import { pushLine } from "./panel-lines"

/** Applies a paid upgrade: the service gets its product, options and price, and the panel is updated. */
export function completeUpgrade(installation: Installation, upgradeId: number): void {
  const upgrade = installation.state.upgrades.find(({ id }) => id === upgradeId)
  if (!upgrade || upgrade.status === "Completed") return
  upgrade.status = "Completed"
  const service = serviceBy(installation, String(upgrade.serviceId))
  if (upgrade.plan) Object.assign(service, upgrade.plan, { options: upgrade.options })
  else Object.assign(service.options, upgrade.options)
  service.recurring += upgrade.recurringChange
  if (service.status === "Active") pushLine(installation, service)
  const order = installation.state.orders.find(
    ({ invoiceId }) => invoiceId > 0 && invoiceId === upgrade.invoiceId,
  )
  if (order?.status === "Pending") order.status = "Active"
}
