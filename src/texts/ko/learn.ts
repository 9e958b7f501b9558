import type { Learn } from "../en/learn";

export const learn: Learn = {
  title: "배우기",
  about:
    "수업마다 핵심 하나, 기계 하나, 문제 몇 개가 있습니다. 정답은 시뮬레이터가 내고, 그림은 리플레이와 같습니다.",
  shortCourse:
    "단기 과정은 수업 {n, plural, other {#개}}, {minutes, plural, other {#분}}입니다.",
  noLessons: "이 버전에는 수업이 없습니다.",
  noLesson: "“{lesson}” 수업이 없습니다.",
  kept: "답은 이 브라우저에만 저장됩니다.",
  keptNone: "아직 없습니다.",
  save: "진도 저장",
  notSaved: "이 브라우저에서는 파일을 만들 수 없습니다",
  forget: "내 답 지우기",
  load: "진도 불러오기",
  noProgress:
    "“{file}” 파일은 “진도 저장”으로 만든 것이 아닙니다. 진도는 그대로입니다.",
  calibration: "얼마나 확실했나요?",
  rightAtOnce: "첫 시도에 맞힘",
  rightOf: "{n, number}개 중 {right, number}개 맞힘",
  calibrationVerdict:
    "{verdict, select, few {“얼마나 확실한가요?”에 다섯 번 답하면, 아는 것을 제대로 판단하는지 여기서 알 수 있습니다.} over {실제보다 더 확신합니다. “확실”을 고르기 전에 한 번 더 확인하세요.} fairly {꽤 확실하다고 한 답은 절반도 맞지 않았습니다. 먼저 그림을 한 번 더 보세요.} under {생각보다 많이 알고 있습니다. 추측한 답이 대부분 맞았습니다.} other {아는 것을 잘 판단합니다. 확신한 정도와 결과가 맞습니다.}}",
  onlyLessons: "연습 문제의 답은 세지 않습니다.",
  short: "단기 과정",
  minutes: "{n, plural, other {#분}}",
  questions: "{n, plural, other {문제 #개}}",
  notBegun: "시작 전",
  read: "다 읽음",
  step: "{n, number}단계 중 {at, number}단계",
  score: "{answered, number}문제 중 {right, number}문제를 한 번에 맞힘",
  whereAndScore: "{where}, {score}",
  seen: "“{title}”에서 본 단계",
  onlyEnglish: "이 수업은 아직 영어로만 있습니다.",
  theLesson: "수업",
  lessonOf: "수업 {at, number}/{n, number}",
  stepName: "{at, number}단계",
  stepAnswered:
    "{at, number}단계, {verdict, select, right {맞힘} other {틀림}}",
  change: "하나를 바꿔 리플레이에서 보기",
  back: "뒤로",
  answerFirst: "먼저 문제에 답하세요",
  nextStep: "다음 단계",
  nextLesson: "다음 수업",
  allLessons: "전체 수업",
  shortAt: "단기 과정: 수업 {at, number}/{n, number}",
  comesNext: "다음 순서",
  shortDone:
    "단기 과정을 마쳤습니다. 이제 연습 문제를 풀거나 다른 수업을 보세요.",
  allDone: "마지막 수업입니다. 이제 연습 문제를 풀어 보세요.",
  toExercise: "연습 문제 풀기",
  resume: "이어서 하기: 수업 {at, number}, {step, number}단계",
  question: "문제",
  waits: "기계가 접근 {at, number} 앞에서 기다립니다",
  hint: "힌트",
  hinted: "힌트:",
  howSure: "얼마나 확실한가요?",
  howSureAreYou: "답이 얼마나 확실한가요?",
  guess: "찍음",
  fairly: "꽤 확실",
  certain: "확실",
  run: "실행",
  changeFirst: "먼저 답을 바꾸세요",
  right: "맞았습니다.",
  wrong: "{given}: 아닙니다.",
  unknownMistake: "그림을 다시 보거나 힌트를 보세요.",
  answer: "정답은 `{answer}`입니다.",
  reveal: "정답 보기",
  notPosed: "시뮬레이터가 이 문제를 낼 수 없습니다:",
  decimal: "십진수",
  hexadecimal: "십육진수",
  choice:
    "{choice, select, hit {적중(hit)} miss {미스(miss)} fault {폴트(fault)} none {없음(none)} other {{choice}}}",
  kind: "{kind, select, load {적재} store {저장} fetch {인출} other {프리페치}}",
  picture: "실시간 그림",
  moment: "{machine} · 접근 {at, number}",
  momentBefore: "{machine} · 접근 {at, number} 실행 전",
  openInReplay: "리플레이에서 열기",
  print: "인쇄",
  yourName: "이름:",
  answersTo: "“{title}” 정답",
  computed: "이 답은 시뮬레이터가 계산했습니다.",
  opening: "기계를 준비하는 중…",
  programs: "프로그램",
  runBoth: "{n, plural, =1 {실행} other {둘 다 실행}}",
  running: "실행 중…",
  runPrograms: "코드 화면에서 실행",
  backToLesson: "수업 {step, number}단계로 돌아가기",
  machineOfLesson:
    "수업에서 쓰던 기계입니다. 한 단계씩 실행하고, 원하는 대로 바꿔 보세요.",
  close: "닫기",
  press:
    "그림에서 {what, select, set {집합을} way {웨이를} victim {엔트리를} other {주소의 한 부분을}} 클릭해도 됩니다.",
  fromSimulator: "답은 정답표가 아니라 시뮬레이터가 계산합니다.",
  yourAnswer: "내 답:",
  answerName:
    "{kind, select, set {집합 {answer}} way {웨이 {answer}} other {{answer}}}",
  runAndSee: "실행해서 확인하세요.",
  setsTo: "{array}의 집합 번호는 0부터 {last, number}까지입니다.",
  waysTo: "{array}의 한 집합에는 웨이 0부터 {last, number}까지 있습니다.",
  noneLeaves: "빈 웨이가 있다고 예상했습니다. 나가는 엔트리는 없습니다.",
  noSuchEntry: "그림에는 이 페이지의 엔트리가 없습니다.",
  wayHolds:
    "웨이 {way}의 페이지는 {page}이며, 마지막으로 쓰이기 시작한 것은 접근 {at, number}입니다.",
  wayEmpty: "웨이 {way}에는 아무것도 없습니다.",
  setEmpty:
    "집합 {set}에는 아무것도 없습니다. 웨이 {ways, number}개가 모두 비었습니다.",
  setFull:
    "집합 {set}의 웨이 {ways, number}개가 모두 찼습니다. 답이 맞고 그 안에 이 페이지가 없다면 하나가 나가야 합니다.",
  setPart: "집합 {set}의 웨이 {ways, number}개 중 {used, number}개가 찼습니다.",
  tlbOf: "{cores, select, cpu {프로세서} other {스레드}} {core}의 TLB",

  "offset-for-set":
    "그것은 오프셋의 비트입니다. 집합은 페이지 번호에 있습니다.",
  "tag-for-set":
    "그것은 태그입니다. 집합은 페이지 번호의 하위 비트에서 나옵니다.",
  "page-for-set": "그것은 페이지 번호 전체입니다. 집합은 몇 비트뿐입니다.",
  "low-bits-for-xor":
    "그것은 하위 비트뿐입니다. 이 배열은 다른 비트들과 XOR 합니다.",
  "set-for-tag":
    "그것은 집합입니다. 페이지 번호에서 집합 비트를 뺀 나머지가 태그입니다.",
  "page-for-tag":
    "그것은 페이지 번호 전체입니다. 태그에는 집합 비트가 들어가지 않습니다.",
  "offset-for-tag":
    "그것은 오프셋의 비트입니다. 태그는 페이지 번호에 있습니다.",
  "tag-for-page": "그것은 태그, 곧 페이지 번호에서 집합 비트를 뺀 것입니다.",
  "offset-for-page": "그것은 오프셋입니다. 그 위의 비트들이 페이지 번호입니다.",
  "address-for-page":
    "그것은 주소 전체입니다. 페이지 번호에는 오프셋이 들어가지 않습니다.",
  "frame-for-page":
    "그것은 변환해서 얻는 프레임 번호입니다. 페이지 번호는 주소 안에 있습니다.",
  "page-for-offset":
    "그것은 페이지 번호입니다. 그 아래의 비트들이 오프셋입니다.",
  "address-for-offset":
    "그것은 주소 전체입니다. 오프셋은 그중 하위 비트입니다.",
  "page-for-index":
    "그것은 페이지 번호 전체입니다. 인덱스는 그중 한 레벨의 비트입니다.",
  "offset-for-index":
    "그것은 오프셋의 비트입니다. 인덱스는 모두 페이지 번호에 있습니다.",
  "other-page-size": "페이지 크기가 다르다면 맞는 답입니다.",
  "other-level": "그것은 다른 레벨의 답입니다.",
  "set-for-way": "그것은 집합입니다. 웨이는 집합 안의 자리입니다.",
  "newest-for-oldest":
    "그 엔트리는 마지막으로 쓰였습니다. 이 배열의 교체 정책은 다른 엔트리를 축출합니다.",
  "first-in-for-least-recent":
    "그 엔트리는 가장 먼저 들어왔지만, 그 뒤에 다시 쓰였습니다.",
  "least-recent-for-first-in":
    "그 엔트리가 가장 오래 쓰이지 않았지만, 이 배열은 가장 먼저 들어온 엔트리를 축출합니다.",
  "least-recent-for-policy":
    "그 엔트리가 가장 오래 쓰이지 않았지만, 이 배열은 쓰인 순서를 기억하지 않습니다.",
  "victim-for-empty": "집합에 빈 웨이가 있어서 나갈 엔트리가 없습니다.",
  "empty-for-victim": "집합이 가득 차서 엔트리 하나가 나가야 합니다.",
  "other-set": "그 엔트리는 다른 집합에 있습니다.",
  "hit-for-miss": "집합의 어느 엔트리도 태그가 같지 않습니다.",
  "hit-for-fault": "집합의 어느 엔트리도 태그가 같지 않습니다.",
  "miss-for-hit":
    "어느 배열에도 페이지가 없을 때만 워크합니다. 배열을 모두 살펴보세요.",
  "miss-for-fault":
    "페이지 테이블에 아직 엔트리가 없습니다. 페이지 폴트가 나고, 그 뒤에 시스템이 페이지를 사상합니다.",
  "fault-for-hit": "이 페이지는 이미 사상되어 있습니다.",
  "fault-for-miss": "이 페이지는 이미 사상되어 있습니다.",
  "first-touch-for-miss":
    "페이지는 이미 사상되어 있으므로 최초 접근이 아닙니다.",
  "levels-for-references":
    "그것은 레벨의 수입니다. 워크 캐시가 읽기 일부를 덜어 줍니다.",
  "one-table-too-many":
    "하나가 많습니다. 마지막 엔트리가 바로 페이지를 가리킵니다.",
  "guest-for-nested":
    "그것은 게스트의 엔트리만 센 것입니다. 그 안의 주소마다 호스트에서도 워크해야 합니다.",
  "table-for-entry":
    "그것은 테이블의 시작 주소입니다. 인덱스에 엔트리 크기를 곱해 더하세요.",
  "index-for-address":
    "그것은 인덱스입니다. 인덱스에 엔트리 크기를 곱해 테이블의 시작 주소에 더한 것이 주소입니다.",
  "index-without-size":
    "엔트리 하나는 여러 바이트입니다. 인덱스에 그 크기를 곱하세요.",
  "value-for-address":
    "그것은 엔트리에 들어 있는 값입니다. 문제는 엔트리가 어디에 있느냐입니다.",
  "present-bit": "비트 0은 페이지가 존재했는지를 나타냅니다.",
  "write-bit": "비트 1은 접근이 쓰기였는지를 나타냅니다.",
  "user-bit": "비트 2는 사용자 모드의 접근이었는지를 나타냅니다.",
  "fetch-bit": "비트 4는 명령어 인출이었는지를 나타냅니다.",
  "offset-lost": "그것은 프레임의 시작 주소입니다. 오프셋을 더하세요.",
  "virtual-for-physical":
    "그것은 가상 주소입니다. 페이지 번호를 프레임 번호로 바꾸세요.",
  "frame-for-physical":
    "그것은 프레임 번호입니다. 그 뒤에 오프셋을 붙여야 주소가 됩니다.",
  "glued-frame-and-offset":
    "프레임과 오프셋의 숫자를 그대로 이어 붙인 값입니다. 둘 다 비트로 쓰세요. 오프셋의 비트 수는 페이지 크기로 정해집니다.",
  "guest-for-host": "그것은 게스트의 주소입니다. 호스트가 한 번 더 변환합니다.",
  "lookup-lost": "두 번째 단계의 미스에도 사이클이 듭니다.",
  "overhead-lost": "워크를 시작하는 데에도 사이클이 듭니다.",
  "references-for-cycles":
    "그것은 참조의 수입니다. 참조 하나에는 그 엔트리가 있는 캐시의 사이클이 듭니다.",
  "one-access-short": "마지막 접근이 빠졌습니다. 이 접근까지 세어야 합니다.",
  "one-access-more":
    "접근 하나를 더 세었습니다. 다음 접근은 아직 일어나지 않았습니다.",
  "one-off": "하나 차이가 납니다. 접근 0부터 이 접근까지 다시 세어 보세요.",
  "access-for-total":
    "그것은 이 접근만의 값입니다. 처음부터 모든 접근을 합쳐 세세요.",
  "hits-for-misses": "그것은 적중의 수입니다. 나머지 조회가 미스입니다.",
  "misses-for-hits": "그것은 미스의 수입니다. 나머지 조회가 적중입니다.",
  "walks-for-misses":
    "그것은 워크의 수입니다. 다른 단계에서 적중해도 이 배열은 미스일 수 있습니다.",
  "misses-for-walks":
    "그것은 첫 번째 단계의 미스 수입니다. 그중 일부는 두 번째 단계에서 적중하여 워크하지 않습니다.",
  "pages-for-misses":
    "페이지마다 한 번씩만 세었습니다. 축출된 엔트리는 다시 미스가 됩니다.",
  "accesses-for-pages": "그것은 접근의 수입니다. 페이지마다 한 번만 세세요.",
  "walks-for-faults":
    "그것은 워크의 수입니다. 페이지를 찾지 못한 워크만 폴트입니다.",
  "walks-for-references":
    "그것은 워크의 수입니다. 워크가 읽는 엔트리를 하나씩 세세요.",
  "decimal-for-hexadecimal":
    "값은 맞지만 십진수입니다. 답은 십육진수로 써야 합니다.",
  "hexadecimal-for-decimal":
    "값은 맞지만 십육진수입니다. 답은 십진수로 써야 합니다.",
  "other-base": "값은 맞지만 진법이 다릅니다.",
};
