import type { ExerciseTexts } from "../en/exercise";

export const exercise: ExerciseTexts = {
  title: "연습 문제",
  about:
    "{machine}에서 실행한 트레이스(trace)에 관한 문제가 {n, plural, other {#개}} 있습니다. 정답은 시뮬레이터가 냅니다.",
  how: "기계가 실행하기 전에 답합니다. 그림은 그 순간의 기계를 보여 주지만, 답이 드러나는 것은 빼고 보여 줍니다. 나머지는 직접 계산합니다. 문제에 필요한 내용은 2~7번, 11번, 12번 수업에 있습니다.",
  attempts: "{n, plural, other {문제마다 #번까지 답할 수 있습니다.}}",
  attemptsFree: "문제마다 몇 번이든 답할 수 있습니다.",
  lockedParts: "일부 그림은 일부러 숨겼습니다.",
  programRuns:
    "이 연습 문제의 트레이스는 프로그램이 만듭니다. 시작하면 네트워크가 없는 샌드박스에서 실행됩니다.",
  name: "이름",
  nameWhy:
    "이름이 문제의 숫자를 정합니다. 이름이 다르면 문제도 다릅니다. 선생님이 아는 이름을 쓰세요.",
  begin: "시작",
  goOn: "이어서 하기",
  kept: "이 브라우저에 이 이름의 답이 {n, plural, other {#개}} 있습니다. 거기서 이어집니다.",
  opening: "시뮬레이터가 트레이스를 실행하는 중…",
  where: "{n, number}문제 중 {at, number}번",
  questions: "문제",
  stepName: "{at, number}번 문제",
  stepRight: "{at, number}번 문제, 맞힘",
  stepWrong: "{at, number}번 문제, 아직 틀림",
  next: "다음 문제",
  finish: "마치기",
  back: "뒤로",
  skip: "건너뛰기",
  left: "{n, plural, =0 {남은 기회 없음} other {기회 #번 남음}}",
  picture: "실시간 그림",
  waits: "접근 {at, number} 실행 전",
  ran: "접근 {at, number}",
  hidden: "이 연습 문제는 그림을 모두 숨깁니다.",
  resultTitle: "제출할 답",
  score: "{n, number}문제 중 {right, number}문제를 맞혔습니다.",
  open: "{n, plural, other {아직 답하지 않은 문제가 #개 있습니다.}}",
  lineTitle: "이 줄을 제출하세요",
  lineWhy:
    "이름, 답, 답한 횟수, 걸린 시간이 들어 있습니다. 선생님이 정한 곳에 줄 전체를 붙여 넣거나 파일을 제출하세요.",
  copy: "복사",
  copied: "복사했습니다.",
  notCopied: "브라우저가 복사를 허용하지 않습니다. 줄을 선택해 복사하세요.",
  save: "파일 저장",
  saved: "{file}(으)로 저장했습니다.",
  again: "문제로 돌아가기",
  asOther: "다른 이름",
  rename: "{name}: 다른 이름",
  lessons: "수업",
  rightMark: "맞음",
  wrongMark: "틀림",
  openMark: "답 없음",
  secondsMark: "{n, number}초",
  triesMark: "{n, plural, other {#번 답함}}",
  wanted: "연습 문제 열기",
  wantedWhy: "선생님의 링크를 열거나, 연습 문제 파일을 여기에 놓으세요.",
  choose: "파일 고르기",
  grade: "답 채점하기",
  problemDamaged:
    "링크의 연습 문제가 손상되었습니다. 링크가 잘리지 않았나요? 링크 전체를 달라고 하세요.",
  problemNewer:
    "이 연습 문제는 더 새로운 Pagewalk에서 만들었습니다. 페이지를 새로 고치거나 새 사이트에서 여세요.",
  problemFile: "이 파일은 Pagewalk의 연습 문제가 아닙니다.",
  problemWrong: "연습 문제를 열 수 없습니다: {why}",
  qOutcome:
    "{kind, select, load {적재} store {저장} fetch {인출} other {프리페치}} 하나가 {address}을(를) 씁니다. [적중](hit)(어느 단계의 TLB든), [미스](miss), [폴트](page-fault) 중 무엇인가요?",
  qSet: "프로세서는 {array}의 어느 [집합](set)에서 {address}을(를) 찾나요?",
  qWay: "이 접근이 끝나면 {address}의 페이지는 {array}의 그 집합에서 몇 번 웨이에 있나요?",
  qVictim:
    "{address}의 페이지가 들어오려면 {array}에서 어느 페이지가 나가나요? 페이지 번호를 쓰고, 없으면 none이라고 쓰세요.",
  qPageNumber: "{address}의 [페이지 번호](page)는 무엇인가요?",
  qOffset: "{address}의 페이지 안 [오프셋](offset)은 얼마인가요?",
  qIndex: "{table}에서 {address}의 인덱스는 얼마인가요?",
  qTag: "{address}에 대해 {array}가 비교하는 [태그](tag)는 무엇인가요?",
  qReferences:
    "{address}의 [페이지 워크](page-walk)는 페이지 테이블 엔트리를 몇 개 읽나요?",
  qEntryAddress:
    "{address}의 워크가 읽는 {table} 엔트리의 물리 주소는 무엇인가요?",
  qPageSize: "{address}이(가) 속한 페이지의 크기는 얼마인가요?",
  qFaultCode:
    "{address}의 {kind, select, load {적재} store {저장} fetch {인출} other {프리페치}}이(가) [페이지 폴트](page-fault)로 끝납니다. 오류 코드는 무엇인가요?",
  qPhysical: "{address}은(는) 어느 물리 주소로 변환되나요?",
  qCycles: "{address}을(를) 변환하는 데 몇 사이클이 걸리나요?",
  qWalks:
    "접근 0부터 접근 {at, number}까지(양 끝 포함) [페이지 워크](page-walk)는 몇 번인가요?",
  qFaults:
    "접근 0부터 접근 {at, number}까지(양 끝 포함) [페이지 폴트](page-fault)는 모두 몇 번인가요?",
  qPages:
    "접근 0부터 접근 {at, number}까지(양 끝 포함) 서로 다른 페이지를 몇 개 쓰나요?",
  qReferencesSoFar:
    "접근 0부터 접근 {at, number}까지(양 끝 포함) 워크가 읽는 페이지 테이블 엔트리는 모두 몇 개인가요?",
  qCyclesSoFar:
    "접근 0부터 접근 {at, number}까지(양 끝 포함) 변환에 모두 몇 사이클이 걸리나요?",
  qMisses:
    "접근 0부터 접근 {at, number}까지(양 끝 포함) {array}에서 미스가 난 조회는 몇 번인가요?",
  qHits:
    "접근 0부터 접근 {at, number}까지(양 끝 포함) {array}에서 적중한 조회는 몇 번인가요?",
  hOutcome:
    "먼저 첫 단계와 두 번째 단계의 각 TLB 배열에서, 해당 집합에 이 페이지 번호가 있는지 찾습니다. 어느 엔트리에도 없으면 페이지 테이블이 결정합니다.",
  hOutcome2:
    "첫 단계나 두 번째 단계에 엔트리가 있으면 적중, 없지만 페이지 테이블에는 있으면 미스, 둘 다 아니면 폴트입니다. 운영체제가 최초 접근 때 페이지를 사상한다면 그 접근은 폴트입니다.",
  hSet: "집합은 페이지 번호의 비트들이 정합니다.",
  hSet2:
    "이 배열에는 집합이 {sets, number}개 있습니다. 페이지 번호의 가장 낮은 {bits, plural, other {#비트}}를 보세요.",
  hSetXor:
    "이 배열에는 집합이 {sets, number}개 있습니다. 페이지 번호의 가장 낮은 {bits, number}비트를 그다음 비트들과 XOR 합니다.",
  hSetMasks:
    "이 배열에는 집합이 {sets, number}개 있습니다. 집합의 각 비트는 마스크가 고른 페이지 번호 비트들의 XOR입니다.",
  hWay: "적중하면 그 페이지가 있는 웨이를 씁니다. 미스면 빈 웨이를 먼저 채우고, 없으면 축출되는 엔트리의 웨이를 채웁니다.",
  hWay2: "집합마다 웨이가 {ways, number}개 있고, 번호는 0부터 시작합니다.",
  hVictim:
    "집합이 가득 찼을 때만 엔트리가 나갑니다. 빈 웨이가 있으면 답은 none입니다. 가득 찬 집합에서는 이 배열의 교체 정책이 고릅니다.",
  hVictim2:
    "이 배열은 집합마다 웨이가 {ways, number}개이고, 교체 정책은 {policy}입니다. {policy, select, lru {가장 오래 쓰이지 않은 엔트리가 나갑니다} fifo {가장 먼저 들어온 엔트리가 나갑니다} random {무작위로 고른 엔트리가 나갑니다} other {몇 개의 비트로 LRU를 흉내 내는 [의사 LRU](pseudo-lru) 정책으로, 가장 최근에 쓰인 엔트리는 나가지 않습니다}}.",
  hPageNumber: "페이지 번호는 오프셋을 뺀 주소입니다.",
  hPageNumber2:
    "여기서 페이지의 오프셋은 {bits, number}비트입니다. 가장 낮은 {bits, number}비트를 지우세요.",
  hOffset: "오프셋은 주소의 낮은 쪽 끝, 곧 페이지 안의 위치입니다.",
  hOffset2: "여기서 페이지의 오프셋은 {bits, number}비트입니다.",
  hIndex: "페이지 테이블의 레벨마다 주소에서 쓰는 비트가 따로 있습니다.",
  hIndex2:
    "이 테이블에는 주소의 비트 {high, number}부터 {low, number}까지를 쓰세요.",
  hTag: "태그는 페이지 번호에서 집합 비트를 뺀 나머지입니다.",
  hTag2:
    "이 배열에는 집합이 {sets, number}개 있습니다. 페이지 번호의 낮은 쪽에서 {bits, plural, other {#비트}}를 지우세요.",
  hReferences:
    "워크 캐시가 없으면 워크는 루트에서 페이지에 이르기까지 레벨마다 엔트리를 하나씩 읽습니다. TLB에서 적중하면 하나도 읽지 않습니다.",
  hReferences2:
    "테이블은 {levels, number}레벨입니다. 페이지가 크면 워크가 일찍 끝나고, 워크 캐시는 레벨을 건너뜁니다.",
  hEntryAddress:
    "엔트리는 테이블 안에서 인덱스에 엔트리 크기를 곱한 위치에 있습니다.",
  hEntryAddress2:
    "주소의 비트 {high, number}부터 {low, number}까지가 인덱스입니다. 여기서 엔트리는 {bytes, number}바이트입니다.",
  hPageSize: "워크가 끝나는 레벨이 페이지의 크기를 말해 줍니다.",
  hFaultCode: "비트마다 하나씩 답합니다: 존재, 쓰기, 사용자, 예약, 인출.",
  hFaultCode2:
    "비트 0: 페이지가 존재함. 비트 1: 쓰기. 비트 2: 사용자 모드. 비트 4: 명령어 인출.",
  hPhysical: "프레임이 페이지 번호를 대신합니다. 오프셋은 그대로입니다.",
  hPhysical2:
    "워크의 마지막 엔트리에 프레임이 있습니다. 그 뒤에 주소의 가장 낮은 {bits, number}비트를 붙이세요.",
  hCycles:
    "두 번째 단계에서 적중하면 그 조회의 사이클만 듭니다. 두 단계에서 모두 미스이면 워크의 시작과 각 참조의 사이클을 더하세요. 참조의 사이클은 엔트리가 어느 캐시에 있느냐에 달려 있습니다.",
  hCycles2: "1차에서 적중하면 추가 사이클이 없습니다.",
  hNumber: "접근 0부터 세고, 이번 접근도 넣으세요.",
  hNumber2:
    "페이지별로 세세요. 배열에 아직 있는 페이지에 다시 접근하면 적중합니다.",
  hNumberFirst:
    "페이지에 처음 접근할 때만 폴트가 납니다. 각 페이지가 처음 나올 때 한 번씩 세세요.",
  knownAccesses: "여기까지의 접근",
  knownEarlier:
    "마지막 64개의 접근입니다. 그 앞의 {n, plural, other {#개}}는 트레이스에 있습니다.",
  knownAccess: "접근",
  knownKind: "종류",
  knownAddress: "주소",
  knownPage: "페이지 번호",
  knownTable: "접근 전의 페이지 테이블",
  knownNoPages:
    "아직 사상된 페이지가 없습니다. 페이지에 처음 접근하면 페이지 폴트가 나고, 그 뒤에 시스템이 사상합니다.",
  knownFirstTouch:
    "이 페이지들은 사상되어 있습니다. 다른 페이지는 처음 접근할 때 페이지 폴트가 나고, 그 뒤에 시스템이 사상합니다.",
  knownOthers: "{n, plural, other {더 먼 페이지 #개도 사상되어 있습니다.}}",
  knownFrame: "프레임",
  knownSize: "크기",
  knownRules:
    "{array}: {shape}. {index, select, masks {집합의 각 비트는 페이지 번호의 여러 비트를 xor한 값입니다.} xor {집합은 페이지 번호 하위 비트 두 묶음의 xor입니다.} other {집합은 페이지 번호의 하위 비트로 정해집니다.}} 교체 정책: {policy}.",
};
