import { type ProductKind, plansOffered, resellerPlansOffered } from "~/domain/catalogue/catalogue"
import { type Currency, currencies } from "~/domain/money/money"
import { orPauseOrdering, type PausingServices } from "./pause-on-outage.server"

/** Whether a plan of this kind with this id is offered, in whatever currency. No plan is while billing is unavailable. */
export async function sellsPlan(services: PausingServices, kind: ProductKind, id: string): Promise<boolean> {
  const { catalogue } = services
  const isPlan = kind === "plan"
  const read = () => (isPlan ? catalogue.plans() : catalogue.resellerPlans())
  const products = await orPauseOrdering(services, read, [])
  const offeredIn = (currency: Currency) =>
    isPlan ? plansOffered(products, currency) : resellerPlansOffered(products, currency)
  return currencies.some((currency) => offeredIn(currency).some((plan) => plan.id === id))
}
