import type { BulkItem, BulkRun } from "~/billing/operators/bulk-runs"
import { runState } from "~/domain/console/bulk"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice } from "../form-parts.server"
import { Fact, ListTable } from "../list-parts.server"
import { BulkItemLink, Conditions } from "./bulk-preview-screen.server"

/** Address of a run's page. */
export function bulkRunPath(id: string): string {
  return `/admin/bulk/${encodeURIComponent(id)}`
}

type RunsProps = { runs: readonly BulkRun[]; timeZone: string }

/** Actions on many rows, newest first. */
export function BulkRunsScreen({ runs, timeZone }: RunsProps) {
  return (
    <>
      <div className="title">
        <h1>{t("bulk.title")}</h1>
        <p>{t("bulk.lead")}</p>
      </div>
      <section className="card">
        {runs.length === 0 ? <p>{t("bulk.empty")}</p> : <RunTable runs={runs} timeZone={timeZone} />}
      </section>
    </>
  )
}

function RunTable({ runs, timeZone }: RunsProps) {
  return (
    <ListTable
      label={t("bulk.title")}
      heads={[
        { text: "bulk.begun" },
        { text: "bulk.what" },
        { text: "bulk.state" },
        { text: "bulk.operator" },
        { text: "bulk.progress", isNumber: true },
      ]}
    >
      {runs.map((run) => (
        <tr key={run.id}>
          <td>{localText(run.at, timeZone)}</td>
          <td>
            <a href={consoleHref(bulkRunPath(run.id))}>{t(`bulk.actions.${run.action}`)}</a>
          </td>
          <td>{t(`bulk.states.${runState(run)}`)}</td>
          <td>{run.operator}</td>
          <td className="number" data-label={t("bulk.progress")}>
            {`${settledOf(run)}/${allOf(run)}`}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

const settledOf = ({ counts }: BulkRun) => counts.done + counts.skipped
const allOf = ({ counts }: BulkRun) => counts.waiting + counts.started + counts.done + counts.skipped

type RunProps = {
  run: BulkRun
  /** Rows that were left as they are, the first of them. */
  skipped: readonly BulkItem[]
  /** Null where it cannot be stopped. */
  stop: { readonly formKey: string; readonly refused: { readonly reason: string } | null } | null
  notice: ActionNotice | null
  timeZone: string
}

/** How far a run has come, and what became of its rows. */
export function BulkRunScreen({ run, skipped, stop, notice, timeZone }: RunProps) {
  const path = bulkRunPath(run.id)
  const state = runState(run)
  return (
    <>
      <div className="title">
        <h1>{t(`bulk.actions.${run.action}`)}</h1>
        <p>{run.reason}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card" data-live="run" data-announcement={t(`bulk.states.${state}`)}>
        <h2>{t(`bulk.states.${state}`)}</h2>
        <p>
          <progress value={settledOf(run)} max={allOf(run)} aria-label={t("bulk.progress")} />{" "}
          {t("bulk.settled", { settled: settledOf(run), all: allOf(run) })}
        </p>
        <Facts run={run} timeZone={timeZone} />
        <Conditions typed={run.conditions} />
        <div className="buttons">
          {state === "running" && <a href={consoleHref(path)}>{t("bulk.again")}</a>}
          <a className="button" href={consoleHref(`${path}/result.csv`)} download>
            {t("bulk.result")}
          </a>
        </div>
      </section>
      {skipped.length > 0 && <Skipped run={run} skipped={skipped} />}
      {stop && (
        <section className="card">
          <ActionForm
            action="stop-bulk"
            target={consoleHref(path)}
            name={t("bulk.stop")}
            now={t("bulk.left", { count: run.counts.waiting })}
            after={t("bulk.stopAfter")}
            formKey={stop.formKey}
            seen=""
            refused={stop.refused}
            proof={null}
            destroys
          />
        </section>
      )}
    </>
  )
}

function Facts({ run, timeZone }: Pick<RunProps, "run" | "timeZone">) {
  const { counts, days, operator, at, stoppedAt, stoppedBy, finishedAt } = run
  return (
    <dl className="facts">
      <Fact name="bulk.done">{counts.done}</Fact>
      <Fact name="bulk.skipped">{counts.skipped}</Fact>
      <Fact name="bulk.waiting">{counts.waiting + counts.started}</Fact>
      {days !== null && <Fact name="bulk.days">{days}</Fact>}
      <Fact name="bulk.operator">{operator}</Fact>
      <Fact name="bulk.begun">{localText(at, timeZone)}</Fact>
      {stoppedAt !== null && (
        <Fact name="bulk.stopped">{`${localText(stoppedAt, timeZone)}, ${stoppedBy ?? ""}`}</Fact>
      )}
      {finishedAt !== null && stoppedAt === null && (
        <Fact name="bulk.ended">{localText(finishedAt, timeZone)}</Fact>
      )}
    </dl>
  )
}

function Skipped({ run, skipped }: Pick<RunProps, "run" | "skipped">) {
  const { counts, list } = run
  return (
    <section className="card">
      <h2>{t("bulk.skippedTitle")}</h2>
      {counts.skipped > skipped.length && <p>{t("bulk.examples", { count: skipped.length })}</p>}
      <ListTable label={t("bulk.skippedTitle")} heads={[{ text: "bulk.number" }, { text: "bulk.why" }]}>
        {skipped.map(({ item, skip, position }) => (
          <tr key={position}>
            <td>
              <BulkItemLink list={list} item={item} />
            </td>
            <td>{skip && t(`bulk.skips.${skip}`)}</td>
          </tr>
        ))}
      </ListTable>
    </section>
  )
}
