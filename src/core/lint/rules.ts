import type { Rule } from "./rule.ts";
import { advice } from "./rules/advice.ts";
import { allBlocksSkipped } from "./rules/all-blocks-skipped.ts";
import { alwaysBreaksOff } from "./rules/always-breaks-off.ts";
import { amountFromVisitor } from "./rules/amount-from-visitor.ts";
import { bodyNotJson } from "./rules/body-not-json.ts";
import { channelUnsupported } from "./rules/channel-unsupported.ts";
import { clientRequestOverHttp } from "./rules/client-request-over-http.ts";
import { conditionNeverHolds } from "./rules/condition-never-holds.ts";
import { credentialsMissing } from "./rules/credentials-missing.ts";
import { deadEnd } from "./rules/dead-end.ts";
import { duplicateItemId } from "./rules/duplicate-item-id.ts";
import { emptyBot } from "./rules/empty-bot.ts";
import { emptyGroup } from "./rules/empty-group.ts";
import { equalGroupTitles } from "./rules/equal-group-titles.ts";
import { equalItemTexts } from "./rules/equal-item-texts.ts";
import { explodingPattern } from "./rules/exploding-pattern.ts";
import { expressionFails } from "./rules/expression-fails.ts";
import { goingBackOverEffects } from "./rules/going-back-over-effects.ts";
import { identityFromVisitor } from "./rules/identity-from-visitor.ts";
import { drawnMessages, headCodeNeeds, unmatchedSelectors } from "./rules/look.ts";
import { loopWithoutInput } from "./rules/loop-without-input.ts";
import { lowContrast } from "./rules/low-contrast.ts";
import { missingEdge } from "./rules/missing-edge.ts";
import { fileMissing, secretMissing } from "./rules/missing-things.ts";
import { noStart } from "./rules/no-start.ts";
import { paymentDeadEnd, paymentTestKeys, paymentWithoutWebhook } from "./rules/payments.ts";
import { proxyMissing } from "./rules/proxy-missing.ts";
import { readBeforeWritten } from "./rules/read-before-written.ts";
import { refusedAddress } from "./rules/refused-address.ts";
import { shadowedCondition } from "./rules/shadowed-condition.ts";
import { timeoutInLoop } from "./rules/timeout-in-loop.ts";
import { unkeptAnswer } from "./rules/unkept-answer.ts";
import { unknownBlockType } from "./rules/unknown-block-type.ts";
import { unknownBot } from "./rules/unknown-bot.ts";
import { unknownConnection } from "./rules/unknown-connection.ts";
import { unknownEdge } from "./rules/unknown-edge.ts";
import { unknownGroup } from "./rules/unknown-group.ts";
import { unknownKey, unknownWord } from "./rules/unknown-parts.ts";
import { unknownTarget } from "./rules/unknown-target.ts";
import { unknownVariable } from "./rules/unknown-variable.ts";
import { unreachableGroup } from "./rules/unreachable-group.ts";
import { unusedEdge } from "./rules/unused-edge.ts";
import { withoutAddress } from "./rules/without-address.ts";

/**
 * All rules, in the order in which findings of the same severity are reported. To add a rule, create its file and add a
 * line to this list.
 */
export const rules: readonly Rule[] = [
  noStart,
  emptyBot,
  allBlocksSkipped,
  alwaysBreaksOff,
  loopWithoutInput,
  unknownEdge,
  unknownTarget,
  unknownGroup,
  missingEdge,
  emptyGroup,
  unreachableGroup,
  deadEnd,
  conditionNeverHolds,
  shadowedCondition,
  explodingPattern,
  unknownBlockType,
  unknownBot,
  credentialsMissing,
  secretMissing,
  fileMissing,
  unknownConnection,
  channelUnsupported,
  proxyMissing,
  clientRequestOverHttp,
  identityFromVisitor,
  amountFromVisitor,
  unknownVariable,
  readBeforeWritten,
  expressionFails,
  refusedAddress,
  withoutAddress,
  duplicateItemId,
  equalItemTexts,
  equalGroupTitles,
  bodyNotJson,
  advice,
  paymentTestKeys,
  paymentWithoutWebhook,
  paymentDeadEnd,
  goingBackOverEffects,
  timeoutInLoop,
  unkeptAnswer,
  unusedEdge,
  unknownWord,
  unknownKey,
  lowContrast,
  headCodeNeeds,
  drawnMessages,
  unmatchedSelectors,
];
