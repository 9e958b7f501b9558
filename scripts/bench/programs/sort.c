#include <stdio.h>
#include <stdlib.h>
static int cmp(const void*a,const void*b){int x=*(int*)a,y=*(int*)b;return (x>y)-(x<y);}
int main(void){int n=150000;int*a=malloc(n*sizeof*a);unsigned s=1;for(int i=0;i<n;i++){s=s*1664525u+1013904223u;a[i]=s>>8;}
 qsort(a,n,sizeof*a,cmp);printf("%d %d\n",a[0],a[n/2]);}
