import { DAY, HOUR } from "~/domain/calendar"
import type { FaultyShop, LineName } from "./fault-injected-shop"
import { type Call, type Fault, faults } from "./http-fault-proxy"
import type { Journey } from "./journey"

/** A fault to inject into a journey. */
export type InjectedFault = {
  readonly name: string
  /** Faults of one kind have the same effect on the shop in any journey. */
  readonly kind: string
  /** The fault, independent of the upstream. */
  readonly fault: string
  /** Injected before the step with this index. */
  readonly before: number
  /** The purchase cannot be completed after this fault, because its deadline has passed. */
  readonly isTooLate?: boolean
  begin(shop: FaultyShop): Promise<void> | void
  mend(shop: FaultyShop): Promise<void> | void
}

/** An upstream call of a journey without faults. */
export type ObservedCall = { readonly line: LineName; readonly call: Call }

/** Returns every fault for a call: for this call only, and for all calls from it on until the fault is removed. */
export function httpFaults({ line, call }: ObservedCall): readonly InjectedFault[] {
  return faults.flatMap((fault) => [true, false].map((lasts) => httpFault({ line, call }, fault, lasts)))
}

function httpFault({ line, call }: ObservedCall, fault: Fault, lasts: boolean): InjectedFault {
  const isMeant = (number: number) => (lasts ? number >= call.number : number === call.number)
  return {
    name: `${line}: ${fault} ${lasts ? "from" : "at"} call ${call.number} (${call.what})`,
    kind: `${line} ${call.what} ${fault}`,
    fault,
    before: 0,
    begin: ({ lines }) => lines[line].spoil(({ number }) => (isMeant(number) ? fault : null)),
    mend: ({ lines }) => lines[line].spoil(() => null),
  }
}

/** Clock jumps of all parties, or of the shop only until its clock is corrected. */
const jumps = { "an hour on": HOUR, "a day on": DAY, "an hour back": -HOUR, "a day back": -DAY }

/** Returns clock jumps and full disks before each step. */
export function infrastructureFaults({ steps }: Journey): readonly InjectedFault[] {
  return steps.flatMap(({ name }, before) => [
    ...Object.entries(jumps).flatMap(([jump, by]) => [
      {
        name: `every clock goes ${jump} before "${name}"`,
        kind: `clocks ${jump}`,
        fault: `clocks ${jump}`,
        before,
        isTooLate: Math.abs(by) === DAY,
        begin: (shop: FaultyShop) => shop.wait(by),
        mend: () => {},
      },
      {
        name: `the shop's clock is ${jump} from "${name}"`,
        kind: `shop's clock ${jump}`,
        fault: `shop's clock ${jump}`,
        before,
        isTooLate: Math.abs(by) === DAY,
        begin: (shop: FaultyShop) => shop.goWrong(by),
        mend: (shop: FaultyShop) => shop.goWrong(0),
      },
    ]),
    {
      name: `the disk is full from "${name}"`,
      kind: `disk ${name}`,
      fault: "disk",
      before,
      begin: (shop: FaultyShop) => shop.fillDisk(true),
      mend: (shop: FaultyShop) => shop.fillDisk(false),
    },
  ])
}
