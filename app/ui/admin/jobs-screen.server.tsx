import type { JobListed } from "~/billing/orders/order-admin"
import type { BulkAction } from "~/domain/console/bulk"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { BulkMenu } from "./bulk-menu.server"
import { consoleHref } from "./console-frame.server"
import { Notice } from "./form-parts.server"
import { type ListLinks, ListPages, ListTable } from "./list-parts.server"
import { orderHref } from "./record-links.server"

const states = ["parked", "waiting"] as const
const subjects = ["panel", "refunds", "taxNumbers", "mail"] as const

type JobsProps = {
  /** What was chosen in the filter. */
  typed: {
    readonly state: (typeof states)[number] | ""
    readonly about: (typeof subjects)[number] | ""
  }
  jobs: readonly JobListed[]
  links: ListLinks
  /** The search was stopped. */
  isCut: boolean
  timeZone: string
  /** What may be done with all of them. */
  bulk: readonly BulkAction[]
}

/** Jobs that have failed, the longest waiting first. */
export function JobsScreen({ typed, jobs, links, isCut, timeZone, bulk }: JobsProps) {
  const isEmpty = jobs.length === 0
  return (
    <>
      <div className="title">
        <h1>{t("jobs.title")}</h1>
        <p>{t("jobs.lead")}</p>
      </div>
      <section className="card">
        <Filter typed={typed} />
      </section>
      {isCut && <Notice kind="warning">{t("jobs.cut")}</Notice>}
      <section className="card">
        {isEmpty ? <p>{t("jobs.empty")}</p> : <JobTable jobs={jobs} timeZone={timeZone} />}
        <ListPages
          links={links}
          names={{ older: "jobs.later", newer: "jobs.earlier", newest: "jobs.first" }}
        />
      </section>
      {!isEmpty && <BulkMenu list="jobs" typed={typed} actions={bulk} />}
    </>
  )
}

function Filter({ typed }: Pick<JobsProps, "typed">) {
  return (
    <search>
      <form method="get" action={consoleHref("/admin/jobs")}>
        <div className="filters">
          <p className="field">
            <label htmlFor="state">{t("jobs.state")}</label>
            <select id="state" name="state" defaultValue={typed.state}>
              <option value="">{t("jobs.any")}</option>
              {states.map((state) => (
                <option key={state} value={state}>
                  {t(`jobs.states.${state}`)}
                </option>
              ))}
            </select>
          </p>
          <p className="field">
            <label htmlFor="about">{t("jobs.about")}</label>
            <select id="about" name="about" defaultValue={typed.about}>
              <option value="">{t("jobs.any")}</option>
              {subjects.map((subject) => (
                <option key={subject} value={subject}>
                  {t(`jobs.subjects.${subject}`)}
                </option>
              ))}
            </select>
          </p>
        </div>
        <div className="buttons">
          <button className="button main" type="submit">
            {t("list.apply")}
          </button>
          {(typed.state !== "" || typed.about !== "") && (
            <a href={consoleHref("/admin/jobs")}>{t("list.clear")}</a>
          )}
        </div>
      </form>
    </search>
  )
}

function JobTable({ jobs, timeZone }: Pick<JobsProps, "jobs" | "timeZone">) {
  return (
    <ListTable
      label={t("jobs.title")}
      heads={[
        { text: "jobs.order" },
        { text: "jobs.job" },
        { text: "jobs.state" },
        { text: "jobs.reason" },
        { text: "jobs.triedAt" },
        { text: "jobs.tries", isNumber: true },
      ]}
    >
      {jobs.map(({ id, orderId, topic, state, reason, triedAt, tries }) => (
        <tr key={id}>
          <td>{orderId === null ? t("jobs.noOrder") : <a href={orderHref(orderId)}>{orderId}</a>}</td>
          <td>{t(`jobs.topics.${topic}`)}</td>
          <td>{t(state === "parked" ? "jobs.states.parked" : "jobs.states.waiting")}</td>
          <td>{reason}</td>
          <td>{localText(triedAt, timeZone)}</td>
          <td className="number" data-label={t("jobs.tries")}>
            {tries}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}
