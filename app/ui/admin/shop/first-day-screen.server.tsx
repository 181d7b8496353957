import type { Diagnostic } from "~/billing/diagnostic"
import type { Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { consoleText as t } from "~/i18n/console-texts.server"
import { CheckIcon } from "~/ui/layout/icons"
import { consoleHref } from "../console-frame.server"
import { gatewayName } from "../gateway-name.server"
import { Findings } from "../list-parts.server"

/** Where each step is taken, or what it needs is explained. */
const pages = {
  brand: "/admin/brand/links",
  plans: "/admin/catalogue",
  gateway: "/admin/settings",
  secrets: "/admin/settings",
  callback: "/admin/gateways",
  payment: "/",
  panel: "/admin/settings",
  mail: "/admin/mail",
  alerts: "/admin/settings",
  backup: "/admin/backups",
} as const

type FirstDayState = {
  steps: readonly { readonly step: keyof typeof pages; readonly done: boolean }[]
  missing: readonly GatewayId[]
  lastBackup: Instant | null
  timeZone: string
}

type FirstDayProps = FirstDayState & { findings: readonly Diagnostic[] }

/** What a new shop needs, each with what to do while it is missing. */
export function FirstDayScreen({ steps, missing, lastBackup, findings, timeZone }: FirstDayProps) {
  const left = steps.filter(({ done }) => !done).length
  const gaps = gapsOf({ missing, lastBackup, timeZone })
  return (
    <>
      <div className="title">
        <h1>{t("firstDay.title")}</h1>
        <p>{left === 0 ? t("firstDay.allDone") : t("firstDay.left", { count: left })}</p>
      </div>
      <section className="card">
        <ul className="rows">
          {steps.map(({ step, done }) => (
            <li key={step}>
              <div className="grow">
                <strong>{t(`firstDay.steps.${step}`)}</strong>
                <p>{done ? t(`firstDay.done.${step}`, gaps) : t(`firstDay.todo.${step}`, gaps)}</p>
              </div>
              <span className={done ? "pill good" : "pill warning"}>
                {done && <CheckIcon />}
                {t(done ? "firstDay.isDone" : "firstDay.isMissing")}
              </span>
              {!done && <StepLink href={pages[step]} />}
            </li>
          ))}
        </ul>
      </section>
      <section className="card">
        <h2>{t("firstDay.findings")}</h2>
        <Findings findings={findings} />
        <p>
          <a href={consoleHref("/admin/gateways")}>{t("firstDay.gateways")}</a>
        </p>
        <p>{t("firstDay.doctor")}</p>
      </section>
    </>
  )
}

function StepLink({ href }: { href: string }) {
  return (
    <a className="button" href={consoleHref(href)}>
      {t("overview.open")}
    </a>
  )
}

function gapsOf({ missing, lastBackup, timeZone }: Omit<FirstDayState, "steps">) {
  return {
    missing: missing.map(gatewayName).join(", "),
    backup: lastBackup === null ? t("firstDay.never") : localText(lastBackup, timeZone),
  }
}

/** On the overview, what is still missing, until nothing is: a single step with what to do, several by their names. */
export function FirstDayLeft({ steps, ...state }: FirstDayState) {
  const left = steps.filter(({ done }) => !done)
  const [only] = left
  if (!only) return null
  const isSingle = left.length === 1
  const names = left.map(({ step }) => t(`firstDay.steps.${step}`)).join(", ")
  return (
    <section className="card">
      <ul className="rows">
        <li>
          <div className="grow">
            <strong>{isSingle ? names : t("firstDay.title")}</strong>
            <p>
              {isSingle
                ? t(`firstDay.todo.${only.step}`, gapsOf(state))
                : t("firstDay.namesLeft", { count: left.length, names })}
            </p>
          </div>
          <a className="button" href={consoleHref(isSingle ? pages[only.step] : "/admin/first-day")}>
            {t(isSingle ? "overview.open" : "firstDay.see")}
          </a>
        </li>
      </ul>
    </section>
  )
}
