import { data, redirect } from "react-router"
import { servicesContext } from "~/context/services.server"
import { NextPlanForm, PlanChangeForm, PlanUpgradeForm } from "~/domain/forms/plan-change-form"
import { REFUSED_PLAN_CHANGE } from "~/domain/forms/renewal-fields"
import { nextPlanPath } from "~/domain/orders/screen-paths"
import type { Service } from "~/domain/services/service"
import { changePlan, chooseNextPlan } from "~/flows/services/change-plan.server"
import { upgradePlan } from "~/flows/services/upgrade-plan.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { placeServiceOrder, type RouteArgs } from "../order/place-service-order.server"
import { screenHref } from "../screen-href.server"

/** Places an order of a change of plan and redirects to the gateway. Returns why the form is refused. */
export async function orderPlanChange(form: FormData, args: RouteArgs, service: Service) {
  const submission = submitted(form, PlanChangeForm)
  if (submission.status !== "success") return data({ lastResult: refused(submission) }, { status: 400 })
  const { key, gateway, product: productId, cycle, price, at, due } = submission.value
  const services = args.context.get(servicesContext)
  const shown = { productId, cycle, price, at, due }
  return placeServiceOrder(args, {
    form,
    submission,
    key,
    gateway,
    law: "start",
    place: (buyer) => changePlan(services, { ...buyer, service, shown, key, gateway }),
  })
}

/** Places an order of a change of plan in external billing and redirects to the gateway. Returns why the form is refused. */
export async function orderPlanUpgrade(form: FormData, args: RouteArgs, service: Service) {
  const submission = submitted(form, PlanUpgradeForm)
  if (submission.status !== "success") return data({ lastResult: refused(submission) }, { status: 400 })
  const { key, gateway, product: productId, cycle, due } = submission.value
  const services = args.context.get(servicesContext)
  const { planUpgrades } = services
  if (!planUpgrades) throw data({ kind: "not-found" }, { status: 404 })
  return placeServiceOrder(args, {
    form,
    submission,
    key,
    gateway,
    law: "start",
    place: (buyer) =>
      upgradePlan(
        { ...services, planUpgrades },
        { ...buyer, service, shown: { productId, cycle, due }, key, gateway },
      ),
  })
}

/** Stores the plan that follows when the paid time of a service ends. Returns why the form is refused. */
export async function orderNextPlan(form: FormData, { context }: RouteArgs, service: Service) {
  const submission = submitted(form, NextPlanForm)
  if (submission.status !== "success") return data({ lastResult: refused(submission) }, { status: 400 })
  const { product: productId, cycle, price } = submission.value
  if (await chooseNextPlan(context.get(servicesContext), service, { productId, cycle, price }))
    throw redirect(screenHref(context, nextPlanPath()), 303)
  const lastResult = refused(submission, { formErrors: [REFUSED_PLAN_CHANGE] })
  return data({ lastResult }, { status: 422 })
}
