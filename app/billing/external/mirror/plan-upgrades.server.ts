import type { ExternalUpgrades } from "~/billing/external/external-upgrades"
import type { PlanUpgrades } from "~/billing/services/plan-upgrades"
import { createdExternally } from "./billing.server"
import type { MirrorContext } from "./context.server"

/**
 * Changes of plan that the external system prices and carries out. An order is stored here first and then created there, like any
 * other; its invoice is paid like that of a renewal, since the system acts on its payment.
 */
export function mirrorPlanUpgrades(mirror: MirrorContext, upgrades: ExternalUpgrades): PlanUpgrades {
  const { store } = mirror
  return {
    priceUpgrade: (upgrade) => upgrades.priceUpgrade(upgrade),
    openUpgrade: (serviceId, at) => store.openUpgrade(serviceId, at),
    placeUpgrade: async (upgrade) => createdExternally(mirror, await store.placeUpgrade(upgrade)),
  }
}
