import { redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { cycleOfMonths, monthsOf } from "~/domain/catalogue/billing-cycle"
import { localPath } from "~/domain/locales"
import { type Money, money, times } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { isDeclinable } from "~/domain/orders/order-status"
import { ownServicesPath, planPath } from "~/domain/orders/screen-paths"
import { outstanding } from "~/domain/orders/settlement"
import { type AppliedCredit, appliedCredit } from "~/domain/payments/usable-credit"
import { type PlanTarget, planChangeLine } from "~/domain/services/plan-change"
import type { Service } from "~/domain/services/service"
import { availableGateways, presetGateway } from "~/flows/payments/available-gateways.server"
import { currentOrder } from "~/flows/services/accessible-services.server"
import {
  isWithoutCredit,
  type PricedUpgrade,
  type UpgradeChoices,
  upgradeChoices,
  upgradePrice,
} from "~/flows/services/upgrade-plan.server"
import type { LawShown } from "~/ui/checkout/order-summary"
import { monthsText } from "~/ui/layout/format"
import type { ChosenPlanView, NextPlanView, PlanView } from "~/ui/renewal/plan-screen"
import { coveredSubmit, creditFigure, creditView } from "../order/credit-view.server"
import { type Writing, writingOf } from "../page-writing.server"
import { screenHref } from "../screen-href.server"
import { planInUrl, planOfUrl, planSpan } from "./plan-text.server"

type Asked = {
  readonly service: Service
  /** The plan that the URL names; null: none. */
  readonly chosen: string | null
  readonly law: () => Promise<LawShown>
}

/** Loads the page on which external billing changes the plan of a service, at its prices. */
export async function loadUpgradePage(
  context: RouteContext,
  { service, chosen: name, law }: Asked,
): Promise<PlanView> {
  const services = context.get(servicesContext)
  const choices = await upgradeChoices(services, services.catalogue, { service, read: "shown" })
  if (choices === null) throw redirect(screenHref(context, ownServicesPath))
  const writing = writingOf(context)
  const { t, plan, day } = writing
  const locale = context.get(localeContext)
  const asked = await askedFor(context, { service, choices, name })
  const isOrderable = choices.open === null && !choices.isInvoiced
  const chosen = await chosenView(context, { service, choices, asked, law })
  return {
    heading: t("plan.heading"),
    lead: t("plan.present", { plan: plan(service.name), date: day(service.paidUntil ?? services.now()) }),
    notes: notesOf(choices, asked, writing),
    next: choices.open && openView(context, service, choices.open),
    choices: isOrderable
      ? choices.targets.map((target) => ({
          text: planSpan(context, target, writing),
          price: writing.money(target.price),
          note: "",
          path: localPath(locale, planPath(planInUrl(target))),
          isChosen: target === asked?.target,
        }))
      : [],
    chosen,
    refused: t("plan.refused"),
    notMade:
      asked &&
      t("plan.notMade", { plan: planSpan(context, asked.target, writing), present: plan(service.name) }),
    back:
      asked && isOrderable
        ? { text: t("plan.others"), path: localPath(locale, planPath()) }
        : { text: t("plan.back"), path: localPath(locale, ownServicesPath) },
  }
}

/** A plan with what external billing says of the change to it. */
type AskedFor = { readonly target: PlanTarget; readonly priced: PricedUpgrade }

/** Null: the URL names no plan that can be ordered. */
async function askedFor(
  context: RouteContext,
  { service, choices, name }: Pick<Asked, "service"> & { choices: UpgradeChoices; name: string | null },
): Promise<AskedFor | null> {
  const services = context.get(servicesContext)
  const { planUpgrades } = services
  const target = planOfUrl(choices.targets, name)
  if (!planUpgrades || !target || choices.open || choices.isInvoiced) return null
  const gateways = await availableGateways(services, context.get(localeContext).code)
  const gateway = presetGateway(services, gateways)
  if (!gateway) return { target, priced: { kind: "refused" } }
  return { target, priced: await upgradePrice(planUpgrades, { service, target, gateway }) }
}

function notesOf(
  { open, isInvoiced, targets }: UpgradeChoices,
  asked: AskedFor | null,
  { t }: Writing,
): readonly string[] {
  if (open) return []
  if (isInvoiced) return [t("plan.invoiced")]
  if (asked?.priced.kind === "blocked") return [t("plan.blocked")]
  if (asked?.priced.kind === "refused") return [t("plan.notAllowed")]
  return targets.length === 0 ? [t("plan.none")] : []
}

type Choosing = Pick<Asked, "service" | "law"> & {
  readonly choices: UpgradeChoices
  readonly asked: AskedFor | null
}

/** The figures of the plan that is asked for, or the change that waits for its payment. Null: neither. */
async function chosenView(context: RouteContext, choosing: Choosing): Promise<ChosenPlanView | null> {
  const { choices, asked } = choosing
  if (choices.open) return openForm(context, choosing, choices.open)
  if (asked?.priced.kind !== "priced") return null
  return pricedForm(context, choosing, { target: asked.target, price: asked.priced.price })
}

async function pricedForm(
  context: RouteContext,
  choosing: Choosing,
  { target, price }: { readonly target: PlanTarget; readonly price: Money },
): Promise<ChosenPlanView> {
  const writing = writingOf(context)
  const { t } = writing
  const span = monthsText(monthsOf(target.cycle), context.get(localeContext))
  const left =
    price.minor < 0 ? [{ label: t("plan.difference"), value: writing.money(times(price, -1)) }] : []
  const due = money(Math.max(0, price.minor), price.currency)
  const credit = appliedCredit(await creditView(context, choosing.service), due)
  return {
    ...(await formOf(context, choosing, { target, shown: price.minor, due, credit })),
    figures: [
      ...creditFigure(context, credit),
      { label: t("plan.due"), value: writing.money(credit?.left ?? due), isDue: true },
      ...left,
      {
        label: t("plan.listed"),
        value: t("plan.price", { price: writing.money(target.price), span }),
      },
    ],
    notes: [t(priceNote(price)), ...(due.minor > 0 ? [t("plan.upgradeWhole")] : []), t("plan.upgradeCounts")],
  }
}

function priceNote({ minor }: Money) {
  if (minor === 0) return "plan.upgradeFree"
  return minor > 0 ? "plan.upgradePaid" : "plan.upgradeLess"
}

async function openForm(
  context: RouteContext,
  choosing: Choosing,
  open: Order,
): Promise<ChosenPlanView | null> {
  const writing = writingOf(context)
  const line = planChangeLine(open.lines)
  const cycle = line && cycleOfMonths(line.months)
  if (!line || !cycle) return null
  const due = outstanding(open)
  const target = { productId: line.productId, name: line.name, cycle }
  const credit = await creditInstead(context, choosing, open)
  return {
    ...(await formOf(context, choosing, { target, shown: open.total.minor, due, credit })),
    figures: [
      ...creditFigure(context, credit),
      { label: writing.t("plan.due"), value: writing.money(credit?.left ?? due), isDue: true },
    ],
    notes: [writing.t("plan.upgradePaid")],
  }
}

/** What account credit pays of the order that takes the place of an unpaid one; null: that one is continued. */
async function creditInstead(
  context: RouteContext,
  { service }: Choosing,
  open: Order,
): Promise<AppliedCredit | null> {
  const services = context.get(servicesContext)
  const { planUpgrades } = services
  const visitor = context.get(sessionContext)
  if (!planUpgrades || !(await isWithoutCredit({ ...services, planUpgrades }, visitor, { open, service })))
    return null
  return appliedCredit(await creditView(context, service), open.total)
}

type Formed = {
  readonly target: Pick<PlanTarget, "productId" | "name" | "cycle">
  /** The price in minor units that the form sends as it was shown. */
  readonly shown: number
  readonly due: Money
  /** What account credit pays of it. */
  readonly credit: AppliedCredit | null
}

async function formOf(
  context: RouteContext,
  { service, law: lawOf }: Choosing,
  { target, shown, due, credit }: Formed,
): Promise<Omit<ChosenPlanView, "figures" | "notes">> {
  const services = context.get(servicesContext)
  const writing = writingOf(context)
  const gateways = await availableGateways(services, writing.locale)
  const gateway = presetGateway(services, gateways)
  const isPaid = (credit?.left ?? due).minor > 0
  const law = await lawOf()
  return {
    heading: planSpan(context, target, writing),
    intent: "plan-upgrade",
    submit: coveredSubmit(law, credit) ?? (isPaid ? null : writing.t("plan.changeNow")),
    fields: {
      serviceid: service.id,
      product: target.productId,
      cycle: target.cycle,
      key: services.newId(),
      due: String(shown),
      ...(credit && { credit: String(credit.used.minor) }),
      ...(!isPaid && gateway && { gateway }),
    },
    gateways: isPaid ? gateways : [],
    gateway: isPaid ? gateway : null,
    law,
  }
}

/** What the service page says of a change that waits for its payment. */
function openView(context: RouteContext, service: Service, open: Order): NextPlanView {
  const writing = writingOf(context)
  const { t } = writing
  return {
    serviceId: service.id,
    text: t("plan.unpaid", { plan: planOf(context, open, writing) }),
    takeBack: open.received.minor === 0 ? t("plan.keep") : null,
  }
}

function planOf(context: RouteContext, { lines }: Order, writing: Writing): string {
  const line = planChangeLine(lines)
  const cycle = line && cycleOfMonths(line.months)
  return line && cycle ? planSpan(context, { name: line.name, cycle }, writing) : ""
}

/**
 * What the service page says of the change that this browser has ordered last, if external billing has not made it. Null: it has,
 * or none was ordered. One without anything to pay is cancelled for no other reason.
 */
async function declinedView(context: RouteContext, service: Service): Promise<NextPlanView | null> {
  const order = await currentOrder(context.get(servicesContext), context.get(sessionContext))
  if (order?.kind !== "plan-change" || order.serviceId !== service.id) return null
  if (order.status !== "cancelled" || !isDeclinable(order)) return null
  const writing = writingOf(context)
  const names = { plan: planOf(context, order, writing), present: writing.plan(service.name) }
  return { serviceId: service.id, text: writing.t("plan.notMade", names), takeBack: null }
}

/**
 * Loads what the service page says of its plan: a change that is unpaid or was not made, and the way to change it or to pay for
 * it.
 */
export async function upgradePart(
  context: RouteContext,
  service: Service,
): Promise<{
  readonly next: NextPlanView | null
  readonly change: { readonly text: string; readonly path: string } | null
}> {
  const services = context.get(servicesContext)
  const choices = await upgradeChoices(services, services.catalogue, { service, read: "shown" })
  const { t } = writingOf(context)
  const path = localPath(context.get(localeContext), planPath())
  if (choices?.open)
    return { next: openView(context, service, choices.open), change: { text: t("plan.payChange"), path } }
  const canChange = choices !== null && !choices.isInvoiced && choices.targets.length > 0
  return {
    next: await declinedView(context, service),
    change: canChange ? { text: t("plan.change"), path } : null,
  }
}

/** What the page of an unpaid order says of the change that external billing makes. */
export async function upgradeNotes(context: RouteContext, order: Order): Promise<readonly string[]> {
  const writing = writingOf(context)
  return [writing.t("plan.waitingUpgrade", { plan: planOf(context, order, writing) })]
}

/** What a paid change has led to in external billing. Null: it is not known yet. */
export async function upgradePaidHeadline(
  { billing }: Pick<LoggedServices, "billing">,
  order: Order,
  { t, money, plan }: Writing,
): Promise<{ readonly heading: string; readonly notes: readonly string[] } | null> {
  if (order.status !== "active") return null
  const credited = (await billing.timeline(order.id)).find(({ kind }) => kind === "credit-added")?.amount
  if (credited) return { heading: t("topUp.done", { amount: money(credited) }), notes: [t("plan.credited")] }
  const name = planChangeLine(order.lines)?.name
  return name === undefined ? null : { heading: t("plan.changed", { plan: plan(name) }), notes: [] }
}
