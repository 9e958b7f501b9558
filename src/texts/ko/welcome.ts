import type { Welcome } from "../en/welcome";

export const welcome: Welcome = {
  steps: "첫걸음",
  title:
    "프로그램이 쓰는 주소는 모두 변환을 거칩니다. 주소 하나를 따라가 보세요.",
  opening: "프로그램을 여는 중…",
  access:
    "접근(access) {index, number}: 주소 {address}, {size, plural, =0 {} other {#바이트 }}{kind, select, load {적재} store {저장} fetch {인출} other {프리페치}}.",
  step: "{n, number}단계 중 {at, number}단계",
  nextStep: "다음 단계",
  nextAccess: "다음 접근",
  showAll: "모두 보기",
  back: "뒤로",
  skip: "건너뛰기",
  missed: "가장 먼저 조회했지만 이 페이지의 엔트리가 없었습니다: 미스(miss).",
  learn: "배우기",
  lessons: "수업, 하나에 5분",
  ownAddress: "원하는 주소로 페이지 워크 해 보기",
  stepThrough: "프로그램의 페이지 워크를 한 단계씩 보기",
  glossary: "용어집",
  csapp: "CS:APP, 14비트",
  ostep: "OSTEP, 16바이트 페이지",
  belady: "엔트리 4개, FIFO",
  program: "프로그램 실행",
  runProgram: "JavaScript나 C 몇 줄 실행하기",
  trace: "트레이스 열기",
  ownTrace: "내 프로그램의 기록 또는 예제",
  beforeTitle: "이 주소는 가상 주소입니다",
  before1: "프로그램은 [가상 주소(virtual address)](virtual-address)만 봅니다.",
  before2:
    "{address}에 해당하는 메모리 위치를 찾으려고 프로세서는 먼저 [TLB](tlb)를 조회합니다. TLB에는 최근에 접근한 {size} [페이지(page)](page)의 변환이 들어 있습니다.",
  before3:
    "TLB에 이 페이지의 변환이 없으므로 [페이지 테이블(page table)](page-table)을 차례로 읽는 워크(walk)를 해야 합니다.",
  readTitle: "{table} 엔트리 {index}",
  readRoot:
    "프로세서의 한 레지스터에 첫 번째 테이블 {table}의 주소가 들어 있습니다.",
  read: "주소의 {high}번 비트부터 {low}번 비트까지의 값은 {index}입니다. 워크는 {table}의 {index}번 엔트리를 읽습니다.",
  readNext:
    "이 [엔트리(entry)](pte)에 다음 테이블 {next}의 주소가 들어 있습니다.",
  readLast: "이 [엔트리(entry)](pte)는 {size} 페이지를 가리킵니다.",
  readCost:
    "읽는 데 {cycles, plural, other {#사이클}}이 걸렸습니다({source}에서 읽음).",
  foundTitle: "찾음: {cycles, plural, other {#사이클}}",
  found1: "페이지는 {frame}번 [프레임(frame)](frame)에 있습니다.",
  found2:
    "마지막 {bits, plural, other {#비트}}인 [오프셋(offset)](offset)을 붙이면 [물리 주소(physical address)](physical-address)는 {physical}입니다.",
  found3:
    "변환에 {cycles, plural, other {#사이클}}이 걸렸습니다: {second} 미스에 {miss, number}, 워크를 시작하는 데 {start, number}, {refs, plural, other {엔트리 #개}}를 읽는 데 {reads, number}.",
  foundTouch:
    "이 페이지에 대한 [최초 접근(first touch)](first-touch)이었습니다. 운영체제가 바로 전에 페이지를 사상했습니다.",
  foundKept: "이 페이지에 다시 접근할 때 쓰도록 {array}에 변환을 남겨 둡니다.",
  walkTitle: "{cycles, plural, other {#사이클}}",
  walk: "이 접근에도 워크가 필요했습니다.",
  hitTitle: "적중: {cycles, plural, other {#사이클}}",
  hit1: "같은 페이지에 접근합니다.",
  hit2: "{array}에 변환이 있으므로 워크가 없습니다. 이것이 [적중(hit)](hit)입니다.",
  hit3: "{walked, plural, other {#사이클}}이 {cycles, plural, other {#사이클}}로 줄었습니다. 첫 단계의 TLB는 데이터 캐시를 읽는 동안 함께 조회하므로, 여기서 적중하면 시간이 들지 않습니다.",
  hit4: "여러분의 프로그램과 여러분이 고른 프로세서에서 이런 적중이 얼마나 자주 일어나는지, Pagewalk가 세어 줍니다.",
};
