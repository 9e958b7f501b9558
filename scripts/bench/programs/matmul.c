#include <stdio.h>
#define N 200
static double a[N][N], b[N][N], c[N][N];
int main(void){ for(int i=0;i<N;i++)for(int j=0;j<N;j++){a[i][j]=i;b[i][j]=j;}
 for(int i=0;i<N;i++)for(int j=0;j<N;j++){double s=0;for(int k=0;k<N;k++)s+=a[i][k]*b[k][j];c[i][j]=s;}
 printf("%g\n",c[3][5]); }
