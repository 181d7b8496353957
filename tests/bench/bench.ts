import { weigh } from "../../scripts/page-weight.mjs"
import { inProject } from "../../scripts/project-folder.mjs"
import { type Shop, startShop } from "../server-process"
import { capture } from "./capture"
import { type Scored, scorePages } from "./lighthouse"
import { type Lengths, readRound, type Stage } from "./measure"
import { knownVisitor, servedVisitor, waitingVisitor } from "./purchase"
import { startReferences } from "./references"
import { type Round, report } from "./report"
import { scoreLines } from "./score-lines"

/** Seconds of one run. Rounds alternate the contestants, because the machine has other things to do as well. */
const usual: Lengths = { rounds: 3, throughput: 1.5, latency: 0.5 }
const quickly: Lengths = { rounds: 1, throughput: 1, latency: 1 }
/** So long until a server runs as fast as it will. */
const warmingUp: Lengths = { rounds: 1, throughput: 2, latency: 0.1 }

/** Measures the built shop against its references, side by side on this machine; gives what there is to print. */
export async function bench({ quick }: { quick: boolean }): Promise<string> {
  const shop = await startShop()
  try {
    const cookie = await waitingVisitor(shop, {})
    const known = await knownVisitor(shop)
    const captured = await capture(shop.url, cookie)
    const weight = weigh(captured["/checkout/"].html, inProject("build", "client"))
    const references = await startReferences(captured)
    try {
      const rounds = await readRounds({ shop, cookie, known, references }, quick ? quickly : usual)
      return [report(rounds, weight), "", ...scoreLines(await readScores(shop, quick ? 1 : 3))].join("\n")
    } finally {
      await references.stop()
    }
  } finally {
    await shop.stop()
  }
}

/** Checkout, waiting and success, as they meet somebody on a phone. */
async function readScores(shop: Shop, runs: number): Promise<Scored[]> {
  const pages = [
    { path: "/checkout/", cookie: "", isPublic: true },
    { path: "/checkout/waiting", cookie: await waitingVisitor(shop, {}), isPublic: false },
    { path: "/checkout/success", cookie: await servedVisitor(shop), isPublic: false },
  ]
  return scorePages(shop, pages, runs)
}

async function readRounds(stage: Stage, lengths: Lengths): Promise<Round[]> {
  await readRound(stage, warmingUp)
  const rounds: Round[] = []
  for (let round = 0; round < lengths.rounds; round++) rounds.push(await readRound(stage, lengths))
  return rounds
}
