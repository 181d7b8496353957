/** A rate or a discount for operators, such as "19 %" and "7.5 %". `basisPoints`: hundredths of a percent. */
export function percentText(basisPoints: number): string {
  return `${basisPoints / 100} %`
}
