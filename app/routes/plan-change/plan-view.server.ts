import { redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { monthsOf } from "~/domain/catalogue/billing-cycle"
import { localPath } from "~/domain/locales"
import type { Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { ownServicesPath, PLAN, pathOf, planPath } from "~/domain/orders/screen-paths"
import { appliedCredit } from "~/domain/payments/usable-credit"
import type { NextPlan, PlanChange, PlanTarget } from "~/domain/services/plan-change"
import type { Service } from "~/domain/services/service"
import { availableGateways, presetGateway } from "~/flows/payments/available-gateways.server"
import { hasOtherPlans, type PlanChoices, planChoices } from "~/flows/services/change-plan.server"
import { showAccess } from "~/flows/services/show-access.server"
import type { LawShown } from "~/ui/checkout/order-summary"
import { dateTimeText, dayText, discountText, monthsText } from "~/ui/layout/format"
import type { ChosenPlanView, NextPlanView, PlanView } from "~/ui/renewal/plan-screen"
import { coveredSubmit, creditFigure, creditView } from "../order/credit-view.server"
import { lawOfVisitor } from "../order/law-view.server"
import { type Writing, writingOf } from "../page-writing.server"
import { screenHref } from "../screen-href.server"
import { planInUrl, planOfUrl, planSpan } from "./plan-text.server"
import { loadUpgradePage, upgradeNotes, upgradePart } from "./upgrade-view.server"

type PageRequest = { readonly url: URL; readonly headers: Headers }

/** Whether a URL of the service page asks for the change of its plan. */
export function asksForPlan(url: URL): boolean {
  return url.searchParams.has(PLAN)
}

/** Loads the page on which the plan of the shown service is changed. Redirects where it cannot be changed. */
export async function loadPlanPage(context: RouteContext, { url, headers }: PageRequest): Promise<PlanView> {
  const services = context.get(servicesContext)
  const access = await showAccess(services, context.get(sessionContext))
  if (!access) throw redirect(screenHref(context, pathOf.viewer.checkout))
  const { service } = access
  const at = services.now()
  const law = () => lawOfVisitor(context, headers)
  if (services.planUpgrades)
    return loadUpgradePage(context, { service, chosen: url.searchParams.get(PLAN), law })
  const choices = await planChoices(services, services.catalogue, { service, at })
  if (choices === null) throw redirect(screenHref(context, ownServicesPath))
  const writing = writingOf(context)
  const { t, plan, day } = writing
  const chosen = changeNamed(choices, url.searchParams.get(PLAN))
  return {
    heading: t("plan.heading"),
    lead: t("plan.present", { plan: plan(service.name), date: day(service.paidUntil ?? at) }),
    notes: notesOf(context, choices, writing),
    next: choices.next && nextPlanView(context, service, choices.next),
    choices: choices.changes.map((change) => ({
      text: planSpan(context, change, writing),
      price: writing.money(change.price),
      note: noteOf(change, choices.wait, writing),
      path: mustWait(change, choices.wait)
        ? null
        : localPath(context.get(localeContext), planPath(planInUrl(change))),
      isChosen: change === chosen,
    })),
    chosen:
      chosen &&
      (await chosenView(context, {
        service,
        chosen,
        choices,
        at,
        law: await law(),
      })),
    refused: t("plan.refused"),
    notMade: null,
    back: chosen
      ? { text: t("plan.others"), path: localPath(context.get(localeContext), planPath()) }
      : { text: t("plan.back"), path: localPath(context.get(localeContext), ownServicesPath) },
  }
}

/** When a plan would begin: one that is to be had at once, not before the wait is over. */
function noteOf(change: PlanChange, wait: PlanChoices["wait"], { t, day, money }: Writing): string {
  if (change.when === "at-end") return t("plan.later", { date: day(change.from) })
  return wait === null
    ? t("plan.now", { price: money(change.due) })
    : t("plan.later", { date: day(wait.until) })
}

function mustWait({ when }: PlanChange, wait: PlanChoices["wait"]): boolean {
  return when === "now" && wait !== null
}

/** Null: nothing is chosen, or it is not to be had at the moment. */
function changeNamed({ changes, wait }: PlanChoices, name: string | null): PlanChange | null {
  const found = planOfUrl(changes, name) ?? null
  return found === null || mustWait(found, wait) ? null : found
}

const waitTexts = { changed: "plan.tooSoon", trial: "plan.inTrial" } as const

function notesOf(context: RouteContext, { changes, wait }: PlanChoices, { t }: Writing): readonly string[] {
  const { timeZone } = context.get(servicesContext).shop
  if (wait !== null) {
    const moment = dateTimeText(wait.until, context.get(localeContext), timeZone)
    return [t(waitTexts[wait.reason], { moment })]
  }
  return changes.length === 0 ? [t("plan.none")] : []
}

/** What the service page says of the plan that follows. */
export function nextPlanView(context: RouteContext, service: Service, next: NextPlan): NextPlanView {
  const writing = writingOf(context)
  const { t, day, money } = writing
  const plan = planSpan(context, next, writing)
  const from = next.startsAt ?? service.paidUntil ?? 0
  return {
    serviceId: service.id,
    text:
      next.startsAt === null
        ? t("plan.next", { date: day(from), plan, price: money(next.price) })
        : t("plan.nextPaid", { date: day(from), plan }),
    takeBack: next.startsAt === null ? t("plan.keep") : null,
  }
}

type Choosing = {
  readonly service: Service
  readonly chosen: PlanChange
  readonly choices: PlanChoices
  readonly at: number
  readonly law: LawShown
}

async function chosenView(context: RouteContext, choosing: Choosing): Promise<ChosenPlanView> {
  const { service, chosen, choices } = choosing
  const writing = writingOf(context)
  const { t, plan } = writing
  const { productId, cycle, price } = chosen
  const replaces = choices.next ? [t("plan.replaces", { plan: plan(choices.next.name) })] : []
  const shown = {
    heading: planSpan(context, chosen, writing),
    fields: { serviceid: service.id, product: productId, cycle, price: String(price.minor) },
  }
  if (chosen.when === "at-end") {
    const { day, money } = writing
    return {
      ...shown,
      intent: "plan-next",
      notes: [t("plan.atEnd", { date: day(chosen.from), plan: plan(service.name) }), ...replaces],
      figures: [
        { label: t("plan.due"), value: money({ minor: 0, currency: price.currency }), isDue: true },
        { label: t("plan.begins"), value: day(chosen.from) },
        ...renewalFigures(context, choosing, writing),
      ],
      submit: t("plan.choose", { date: day(chosen.from) }),
      gateways: [],
      gateway: null,
      law: { orderButton: null, declarations: null },
    }
  }
  return { ...shown, ...(await changeNow(context, { ...choosing, chosen, replaces }, writing)) }
}

type Now = Omit<Choosing, "chosen"> & {
  readonly chosen: Extract<PlanChange, { when: "now" }>
  readonly replaces: readonly string[]
}

async function changeNow(context: RouteContext, choosing: Now, writing: Writing) {
  const services = context.get(servicesContext)
  const { service, chosen, at, law, replaces } = choosing
  const { t, money, plan, day } = writing
  const { productId, cycle, price, credit, charge, due, until, kind } = chosen
  const gateways = await availableGateways(services, writing.locale)
  const gateway = presetGateway(services, gateways)
  const off = discountText({ minor: -credit.minor, currency: credit.currency }, context.get(localeContext))
  const used = appliedCredit(await creditView(context, service), due)
  const { left } = used ?? { left: due }
  const isPaid = left.minor > 0
  return {
    intent: "plan-change" as const,
    notes: [t(`plan.${kind}`), t("plan.credit"), ...replaces],
    figures: [
      { label: t("plan.charge"), value: money(charge) },
      { label: t("plan.unused", { plan: plan(service.name) }), value: off },
      ...creditFigure(context, used),
      { label: t("plan.due"), value: money(left), isDue: true },
      { label: t("plan.until"), value: day(until) },
      ...renewalFigures(context, choosing, writing),
    ],
    submit: coveredSubmit(law, used) ?? (isPaid ? null : t("plan.changeNow")),
    fields: {
      serviceid: service.id,
      product: productId,
      cycle,
      price: String(price.minor),
      key: services.newId(),
      at: String(at),
      due: String(due.minor),
      ...(used && { credit: String(used.used.minor) }),
      ...(!isPaid && gateway && { gateway }),
    },
    gateways: isPaid ? gateways : [],
    gateway: isPaid ? gateway : null,
    law,
  }
}

/** What renewing costs afterwards, and what it costs now. */
function renewalFigures(
  context: RouteContext,
  { chosen, choices: { present } }: Pick<Choosing, "chosen" | "choices">,
  { t, money }: Writing,
): ChosenPlanView["figures"] {
  const priced = ({ price, cycle }: { price: Money; cycle: PlanTarget["cycle"] }) =>
    t("plan.price", { price: money(price), span: monthsText(monthsOf(cycle), context.get(localeContext)) })
  return [
    { label: t("plan.renewal"), value: priced(chosen) },
    { label: t("plan.renewalNow"), value: priced(present) },
  ]
}

/** What the service page says of its plan. */
export type PlanPart = {
  readonly next: NextPlanView | null
  /** To the page of its change; null: it cannot be changed. */
  readonly change: { readonly text: string; readonly path: string } | null
}

type Planned = { readonly next: NextPlan | null; readonly isRenewable: boolean }

/** Loads what the service page says of its plan. */
export async function planPart(
  context: RouteContext,
  service: Service,
  { next, isRenewable }: Planned,
): Promise<PlanPart> {
  const services = context.get(servicesContext)
  if (services.planUpgrades) return upgradePart(context, service)
  // A plan whose terms are paid already follows.
  const isOpen = next === null || next.startsAt === null
  const others = { service, at: services.now(), isRenewable }
  const hasOthers = isOpen && (await hasOtherPlans(services, services.catalogue, others))
  const { t } = writingOf(context)
  return {
    next: next && nextPlanView(context, service, next),
    change: hasOthers
      ? { text: t("plan.change"), path: localPath(context.get(localeContext), planPath()) }
      : null,
  }
}

/** What the page of an order for a change of plan says, before the payment and after it. */
export async function planChangeNotes(
  context: RouteContext,
  { billing, planUpgrades }: Pick<LoggedServices, "billing" | "planUpgrades">,
  order: Order,
): Promise<readonly string[]> {
  if (planUpgrades) return upgradeNotes(context, order)
  const change = await billing.planChangeOf(order.id)
  if (!change) return []
  const writing = writingOf(context)
  const { timeZone } = context.get(servicesContext).shop
  const date = dayText(change.until, context.get(localeContext), timeZone)
  return [writing.t("plan.waiting", { plan: planSpan(context, change.target, writing), date })]
}
